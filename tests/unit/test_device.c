/* Memory of a CUDA device: counted, copied, and refused with a message. Runs only if the device
 * under test is cuda. */
#include "check.h"

#ifdef EZLDA_HAVE_CUDA

#include "backend/cuda/driver/device.h"
#include "backend/cuda/driver/device_facts.h"

enum { N = 1000 };

/* False if another device is under test. */
static bool open_device(ez_device *device)
{
    const char *name = getenv("EZLDA_TEST_DEVICE");
    if (!name || strncmp(name, "cuda", 4) != 0)
        return false;
    ezlda_status status = ez_device_open(device, check_context(), 0);
    CHECK_OK(check_context(), status);
    if (status != EZLDA_OK)
        ez_device_close(device);
    return status == EZLDA_OK;
}

TEST(memory_is_counted_whatever_the_caller_says)
{
    ez_device device;
    ezlda_context *context = check_context();
    if (!open_device(&device))
        return;
    uint32_t *a = NULL, *none = NULL;
    uint64_t *b = NULL;
    CHECK_OK(context, ez_device_array(&device, context, &a, NULL, N, sizeof *a, "a"));
    CHECK_OK(context, ez_device_array(&device, context, &b, NULL, N, sizeof *b, "b"));
    CHECK_EQ(device.bytes, N * 12);
    ez_device_free(&device, a);
    CHECK_EQ(device.bytes, N * 8);
    ez_device_free(&device, NULL);
    CHECK_OK(context, ez_device_array(&device, context, &none, NULL, 0, sizeof *none, "nothing"));
    CHECK_EQ(device.bytes, N * 8 + 4);
    CHECK_EQ(device.peak_bytes, N * 12);
    ez_device_free(&device, b);
    ez_device_free(&device, none);
    CHECK_EQ(device.bytes, 0);
    CHECK_OK(context, ez_device_array(&device, context, &a, NULL, 1, sizeof *a, "left to the end"));
    ez_device_close(&device);
    CHECK_EQ(device.bytes, 0);
}

TEST(copies_and_clears)
{
    ez_device device;
    ezlda_context *context = check_context();
    if (!open_device(&device))
        return;
    uint32_t host[N], back[N], *a = NULL, *b = NULL, *pinned = NULL;
    for (uint32_t i = 0; i < N; i++)
        host[i] = i * i;
    CHECK_OK(context, ez_device_array(&device, context, &a, host, N, sizeof *a, "a"));
    memset(back, 0xee, sizeof back);
    CHECK_OK(context, ez_device_array(&device, context, &b, back, N, sizeof *b, "b"));
    CHECK_OK(context, ez_device_copy(&device, context, b + 10, a, 100 * sizeof *a));
    CHECK_OK(context, ez_device_zero(&device, context, b + 500, 4 * sizeof *b));
    CHECK_OK(context, ez_device_read(&device, context, back, b, sizeof back));
    for (uint32_t i = 0; i < N; i++) {
        uint32_t expected = i >= 10 && i < 110    ? host[i - 10]
                            : i >= 500 && i < 504 ? 0
                                                  : 0xeeeeeeee;
        CHECK_EQ(back[i], expected);
    }
    CHECK_OK(context, ez_device_host_array(&device, context, &pinned, N, sizeof *pinned, "pinned"));
    for (uint32_t i = 0; i < N; i++)
        pinned[i] = i ^ 5;
    CHECK_OK(context, ez_device_write(&device, context, a, pinned, N * sizeof *a));
    CHECK_OK(context, ez_device_copy(&device, context, b, a, N * sizeof *a));
    CHECK_OK(context, ez_device_finish(&device, context, "copies"));
    memset(pinned, 0, N * sizeof *pinned);
    CHECK_OK(context, ez_device_read_async(&device, context, pinned, b, N * sizeof *b));
    CHECK_OK(context, ez_device_finish(&device, context, "copies"));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(pinned[i], i ^ 5);
    ez_device_host_free(&device, pinned);
    ez_device_host_free(&device, NULL);
    ez_device_close(&device);
}

TEST(what_does_not_fit_is_said_before_it_is_tried)
{
    ez_device device;
    ezlda_context *context = check_context();
    if (!open_device(&device))
        return;
    uint32_t *a = NULL;
    CHECK_OK(context, ez_device_reserve_check(&device, context, 1000, "a small training"));
    CHECK_FAILS(context,
                ez_device_reserve_check(&device, context, (uint64_t)1 << 60, "a large training"),
                "a large training needs 1152921.5 TB of device memory");
    ez_clear(context);
    CHECK_FAILS(context, ez_device_array(&device, context, &a, NULL, (size_t)1 << 58, 4, "W"),
                "W needs");
    ez_clear(context);
    CHECK_FAILS(context, ez_device_array(&device, context, &a, NULL, SIZE_MAX / 2, 4, "W"),
                "too large");
    CHECK(a == NULL);
    CHECK_EQ(device.bytes, 0);
    ez_device_close(&device);
}

TEST(a_failing_call_names_its_array_and_kernels)
{
    ez_device device;
    ezlda_context *context = check_context();
    if (!open_device(&device))
        return;
    for (int i = 0; i < EZ_LAUNCHED; i++)
        device.launched[device.n_launched++] = "ez_some_kernel";
    CHECK_FAILS(
        context,
        ez_device_fail(&device, context, CUDA_ERROR_INVALID_VALUE, "cuSomething", "rows of D"),
        "cuSomething for rows of D failed with CUDA_ERROR_INVALID_VALUE (1): invalid argument; "
        "kernels started "
        "since the last check: ez_some_kernel, ");
    CHECK_OK(context, ez_device_finish(&device, context, "the test"));
    CHECK_EQ(device.n_launched, 0);
    ez_device_close(&device);
}

TEST(a_number_out_of_range)
{
    ez_device device;
    ezlda_context *context = check_context();
    if (!open_device(&device))
        return;
    ez_device_close(&device);
    CHECK_FAILS(context, ez_device_open(&device, context, 9999), "there is no cuda:9999");
    ez_device_close(&device);
    ez_clear(context);
    CHECK_FAILS(context, ez_device_open(&device, context, -1), "there is no cuda:-1");
    ez_device_close(&device);
}

#else

TEST(a_build_without_cuda_has_no_device)
{
    ezlda_devices_info info = {.size = sizeof info};
    CHECK_OK(check_context(), ezlda_devices(&info, check_context(), NULL, NULL));
    CHECK_EQ(info.cuda_build, 0);
    CHECK_STR(info.choice, "cpu");
}

#endif

TEST_MAIN()
