/* Sizes that do not fit are allocations that fail; what is allocated is aligned, and buffers grow.
 */
#include "check.h"

#include "base/memory.h"

TEST(sizes_do_not_wrap)
{
    size_t out = 0;
    CHECK(ez_mul_size(SIZE_MAX / 2, 2, &out));
    CHECK_EQ(out, SIZE_MAX - 1);
    CHECK(!ez_mul_size(SIZE_MAX / 2 + 1, 2, &out));
    CHECK(ez_add_size(SIZE_MAX, 0, &out));
    CHECK(!ez_add_size(SIZE_MAX, 1, &out));
    CHECK_EQ(ez_product(3, 5), 15);
    CHECK_EQ(ez_product(SIZE_MAX / 2, 2), SIZE_MAX - 1);
    CHECK_EQ(ez_product((size_t)1 << 32, (size_t)1 << 32), SIZE_MAX);
    CHECK_EQ(ez_product(SIZE_MAX, 0), 0);
}

TEST(an_array_that_does_not_fit_fails)
{
    static const size_t numbers[][2] = {
        {SIZE_MAX, 1}, {SIZE_MAX / 4 + 2, 4}, {SIZE_MAX / 8, 8}, {1, SIZE_MAX}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        void *array = &array;
        ez_clear(check_context());
        CHECK_FAILS(
            check_context(),
            ez_array(&array, check_context(), numbers[i][0], numbers[i][1], "a large thing"),
            "not enough memory for a large thing");
        CHECK(array == NULL);
    }
    void *array;
    ez_clear(check_context());
    CHECK_FAILS(check_context(),
                ez_array_zero(&array, check_context(), ez_product(SIZE_MAX, 3), 1, "a product"),
                "a product");
}

TEST(arrays_are_aligned_and_cleared)
{
    for (size_t n = 0; n < 300; n += 37) {
        unsigned char *array;
        CHECK_OK(check_context(), ez_array_zero(&array, check_context(), n, 3, "bytes"));
        CHECK_EQ((uintptr_t)array % 64, 0);
        for (size_t i = 0; i < 3 * n; i++)
            CHECK_EQ(array[i], 0);
        ez_free(array);
    }
    ez_free(NULL);
}

TEST(a_buffer_does_not_grow_beyond_what_fits)
{
    ez_buffer buffer = {0};
    CHECK_OK(check_context(), ez_buffer_append(&buffer, check_context(), "abc", 3));
    CHECK_FAILS(check_context(), ez_buffer_reserve(&buffer, check_context(), SIZE_MAX),
                "not enough memory");
    CHECK_FAILS(check_context(), ez_buffer_reserve(&buffer, check_context(), SIZE_MAX / 2),
                "not enough memory");
    CHECK_EQ(buffer.used, 3);
    CHECK(memcmp(buffer.data, "abc", 3) == 0);
    ez_free(buffer.data);
}

TEST_MAIN()
