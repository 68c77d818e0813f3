/* Assignments against all permutations if these are few enough, and against totals from SciPy's
 * linear_sum_assignment. */
#include "check.h"

#include "compare/assignment.h"

#include <stdbool.h>

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 34) % below;
}

static uint32_t *random_table(uint32_t rows, uint32_t cols, uint32_t below, uint64_t seed)
{
    size_t n = (size_t)rows * cols;
    uint32_t *table = malloc((n ? n : 1) * sizeof *table);
    for (size_t i = 0; table && i < n; i++)
        table[i] = draw(&seed, below);
    return table;
}

/* The total of an assignment; -1 if it is not one to one. */
static int64_t total(const uint32_t *table, uint32_t rows, uint32_t cols,
                     const uint32_t *col_of_row)
{
    int64_t sum = 0;
    bool *used = calloc(cols + 1, sizeof *used);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t col = col_of_row[i];
        if (col >= cols || used[col]) {
            sum = -1;
            break;
        }
        used[col] = true;
        sum += table[(size_t)i * cols + col];
    }
    free(used);
    return sum;
}

static int64_t assigned_total(const uint32_t *table, uint32_t rows, uint32_t cols)
{
    uint32_t *col_of_row = malloc((rows + 1) * sizeof *col_of_row);
    CHECK_OK(check_context(), ez_assign(check_context(), table, rows, cols, col_of_row));
    int64_t sum = total(table, rows, cols, col_of_row);
    free(col_of_row);
    return sum;
}

/* The best total of the rows from `row` on, without the columns of `used`: tries all permutations.
 */
static int64_t best_of_all(const uint32_t *table, uint32_t rows, uint32_t cols, uint32_t row,
                           uint32_t used)
{
    int64_t best = 0;
    for (uint32_t j = 0; row < rows && j < cols; j++) {
        if (used & 1u << j)
            continue;
        int64_t sum =
            table[row * cols + j] + best_of_all(table, rows, cols, row + 1, used | 1u << j);
        best = sum > best ? sum : best;
    }
    return best;
}

static void try_all(uint32_t below, int rounds, uint64_t seed)
{
    for (uint32_t rows = 1; rows <= 5; rows++) {
        for (uint32_t cols = rows; cols <= 7; cols++) {
            for (int round = 0; round < rounds; round++) {
                uint32_t *table = random_table(rows, cols, below, seed++);
                CHECK_EQ(assigned_total(table, rows, cols), best_of_all(table, rows, cols, 0, 0));
                free(table);
            }
        }
    }
}

TEST(all_permutations_with_many_ties)
{
    try_all(2, 20, 1);
    try_all(4, 40, 10000);
}

TEST(all_permutations_with_few_ties)
{
    try_all(50, 40, 20000);
    try_all(EZ_VALUE_MOST, 40, 30000);
}

TEST(totals_of_scipy)
{
    static const struct {
        uint32_t rows, cols, below, least; /* smaller values are 0 */
        uint64_t seed;
        int64_t total;
    } cases[] = {
        {60, 60, 1073741824, 0, 1, 62820541597},
        {40, 90, 1073741824, 0, 2, 42521465765},
        {200, 200, 100, 0, 3, 19728},
        {300, 300, 1073741824, 0, 5, 320464792151},
        {1, 400, 1000, 0, 6, 999},
        {120, 150, 1073741824, 1065000000, 7, 85611735965},
        {200, 200, 1000, 985, 8, 184700},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t *table = random_table(cases[i].rows, cases[i].cols, cases[i].below, cases[i].seed);
        for (size_t j = 0; j < (size_t)cases[i].rows * cases[i].cols; j++)
            table[j] = table[j] < cases[i].least ? 0 : table[j];
        CHECK_EQ(assigned_total(table, cases[i].rows, cases[i].cols), cases[i].total);
        free(table);
    }
}

/* Every row prefers the last column and bids for all columns: the longest paths. */
TEST(products)
{
    enum { N = 120 };
    static uint32_t table[N * N];
    int64_t diagonal = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < N; j++)
            table[i * N + j] = (i + 1) * (j + 1);
        diagonal += (int64_t)(i + 1) * (i + 1);
    }
    CHECK_EQ(assigned_total(table, N, N), diagonal);
}

TEST(largest_values)
{
    uint32_t table[9];
    for (int i = 0; i < 9; i++)
        table[i] = EZ_VALUE_MOST;
    CHECK_EQ(assigned_total(table, 3, 3), 3 * (int64_t)EZ_VALUE_MOST);
}

/* Among equal columns the smallest number is chosen, so that equal topics of one model match
 * themselves. */
TEST(ties_go_to_the_smaller_number)
{
    enum { N = 9 };
    uint32_t table[N * (N + 2)] = {0}, col_of_row[N];
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = 0; j < N; j++)
            table[i * (N + 2) + j] = i == j || (i % 4 == 2 && j % 4 == 2) ? 10 : (i + j) % 5;
    CHECK_OK(check_context(), ez_assign(check_context(), table, N, N + 2, col_of_row));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(col_of_row[i], i);
    memset(table, 0, sizeof table);
    CHECK_OK(check_context(), ez_assign(check_context(), table, N, N + 2, col_of_row));
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(col_of_row[i], i);
}

TEST(no_rows)
{
    uint32_t unused = 7;
    CHECK_OK(check_context(), ez_assign(check_context(), &unused, 0, 3, &unused));
    CHECK_OK(check_context(), ez_assign(check_context(), &unused, 0, 0, &unused));
    CHECK_EQ(unused, 7);
}

TEST(more_rows_than_columns)
{
    uint32_t table[6] = {0}, col_of_row[3];
    CHECK_FAILS(check_context(), ez_assign(check_context(), table, 3, 2, col_of_row),
                "3 rows to 2 columns");
}

TEST_MAIN()
