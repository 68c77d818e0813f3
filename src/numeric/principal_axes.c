/* Classical multidimensional scaling: the two largest eigenvalues of the centred matrix of
 * distances, found by Lanczos' method. */
#include "numeric/principal_axes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The state of Lanczos' method for the largest eigenvalue of a symmetric matrix. Every new
 * direction is made orthogonal to all earlier ones, so that rounding errors do not repeat an
 * eigenvalue. */
typedef struct lanczos {
    const double *matrix;
    const double *without; /* an eigenvector to stay orthogonal to, or NULL */
    size_t n, most;        /* size of the matrix, most directions */
    int threads;
    double *basis;            /* most x n */
    double *diagonal, *below; /* the tridiagonal matrix along the directions */
    double *shape;            /* first eigenvector of the tridiagonal matrix */
    double *pivot, *next;     /* n */
} lanczos;

enum { EZ_FIRST_CHECK = 16, EZ_MOST_DIRECTIONS = 1000 };

#define EZ_EIGEN_TOLERANCE 1e-13

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract_along(double *vector, const double *direction, size_t n)
{
    double along = dot(vector, direction, n);
    for (size_t i = 0; i < n; i++)
        vector[i] -= along * direction[i];
}

static void multiply(const lanczos *l, const double *vector, double *out)
{
#pragma omp parallel for schedule(static) num_threads(l->threads)
    for (size_t i = 0; i < l->n; i++)
        out[i] = dot(l->matrix + i * l->n, vector, l->n);
}

/* Two rounds are enough to be orthogonal up to rounding. */
static void make_orthogonal(const lanczos *l, double *vector, size_t directions)
{
    for (int round = 0; round < 2; round++) {
        if (l->without)
            subtract_along(vector, l->without, l->n);
        for (size_t j = 0; j < directions; j++)
            subtract_along(vector, l->basis + j * l->n, l->n);
    }
}

/* Adds vector / length as the next direction; false if the vector is 0 up to rounding. */
static bool add_direction(const lanczos *l, const double *vector, size_t at, double least)
{
    double length = sqrt(dot(vector, vector, l->n));
    if (!(length > least))
        return false;
    for (size_t i = 0; i < l->n; i++)
        l->basis[at * l->n + i] = vector[i] / length;
    return true;
}

static bool start(const lanczos *l)
{
    uint64_t state = 1;
    for (size_t i = 0; i < l->n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        l->next[i] = (double)(state >> 11) / (double)((uint64_t)1 << 53) - 0.5;
    }
    make_orthogonal(l, l->next, 0);
    return add_direction(l, l->next, 0, 1e-12);
}

/* Whether sigma is above all eigenvalues of the tridiagonal matrix: then all pivots of sigma*I - T
 * are positive. */
static bool above(const lanczos *l, size_t m, double sigma)
{
    for (size_t i = 0; i < m; i++) {
        l->pivot[i] =
            sigma - l->diagonal[i] - (i ? l->below[i - 1] * l->below[i - 1] / l->pivot[i - 1] : 0);
        if (!(l->pivot[i] > 0))
            return false;
    }
    return true;
}

/* The largest eigenvalue of the tridiagonal matrix, by bisection to the last bits. The result is
 * just above it. */
static double bisect(const lanczos *l, size_t m)
{
    double low = -INFINITY, high = -INFINITY;
    for (size_t i = 0; i < m; i++) {
        double around = (i ? fabs(l->below[i - 1]) : 0) + (i + 1 < m ? fabs(l->below[i]) : 0);
        low = fmax(low, l->diagonal[i]);
        high = fmax(high, l->diagonal[i] + around);
    }
    high += 1e-12 * fabs(high) + 1e-300;
    for (int step = 0; step < 200; step++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (above(l, m, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The eigenvector of that eigenvalue, by inverse iteration with a shift just above it, where
 * elimination needs no pivoting. */
static void find_shape(const lanczos *l, size_t m, double sigma)
{
    while (!above(l, m, sigma))
        sigma += 1e-15 * fabs(sigma) + 1e-300;
    for (size_t i = 0; i < m; i++)
        l->shape[i] = 1;
    for (int round = 0; round < 4; round++) {
        for (size_t i = 1; i < m; i++)
            l->shape[i] += l->below[i - 1] / l->pivot[i - 1] * l->shape[i - 1];
        l->shape[m - 1] /= l->pivot[m - 1];
        for (size_t i = m - 1; i-- > 0;)
            l->shape[i] = (l->shape[i] + l->below[i] * l->shape[i + 1]) / l->pivot[i];
        double most = 0;
        for (size_t i = 0; i < m; i++)
            most = fmax(most, fabs(l->shape[i]));
        for (size_t i = 0; i < m; i++)
            l->shape[i] /= most;
    }
    double length = sqrt(dot(l->shape, l->shape, m));
    for (size_t i = 0; i < m; i++)
        l->shape[i] /= length;
}

/* Adds directions until the largest eigenvalue no longer changes. Returns it, and the number of
 * directions. */
static double run(const lanczos *l, size_t *directions)
{
    double value = 0, scale = 0;
    size_t check = EZ_FIRST_CHECK, m = 0;
    while (m < l->most) {
        const double *direction = l->basis + m * l->n;
        multiply(l, direction, l->next);
        l->diagonal[m] = dot(l->next, direction, l->n);
        make_orthogonal(l, l->next, m + 1);
        l->below[m] = sqrt(dot(l->next, l->next, l->n));
        scale = fmax(scale, fabs(l->diagonal[m]) + l->below[m]);
        m++;
        bool last = m == l->most || !add_direction(l, l->next, m, 1e-14 * scale);
        if (!last && m < check)
            continue;
        check += check / 2;
        value = bisect(l, m);
        find_shape(l, m, value);
        if (last || l->below[m - 1] * fabs(l->shape[m - 1]) <= EZ_EIGEN_TOLERANCE * fabs(value))
            break;
    }
    *directions = m;
    return value;
}

static ezlda_status make_room(lanczos *l, ezlda_context *context)
{
    EZ_TRY(ez_array(&l->basis, context, l->n, (l->most + 1) * sizeof *l->basis, "principal axes"));
    EZ_TRY(ez_array(&l->diagonal, context, l->most, sizeof *l->diagonal, "principal axes"));
    EZ_TRY(ez_array(&l->below, context, l->most, sizeof *l->below, "principal axes"));
    EZ_TRY(ez_array(&l->shape, context, l->most, sizeof *l->shape, "principal axes"));
    EZ_TRY(ez_array(&l->pivot, context, l->most, sizeof *l->pivot, "principal axes"));
    return ez_array(&l->next, context, l->n, sizeof *l->next, "principal axes");
}

static void free_room(lanczos *l)
{
    ez_free(l->basis);
    ez_free(l->diagonal);
    ez_free(l->below);
    ez_free(l->shape);
    ez_free(l->pivot);
    ez_free(l->next);
}

/* Computes the eigenvector of the largest eigenvalue, orthogonal to `without`, and returns the
 * eigenvalue; 0 if no direction is left. */
static double largest(const lanczos *l, double *vector)
{
    size_t directions;
    memset(vector, 0, l->n * sizeof *vector);
    if (!start(l))
        return 0;
    double value = run(l, &directions);
    for (size_t j = 0; j < directions; j++)
        for (size_t i = 0; i < l->n; i++)
            vector[i] += l->shape[j] * l->basis[j * l->n + i];
    return value;
}

/* Replaces the distances D by -H D^2 H / 2, where H is the centring matrix. */
static ezlda_status centre(ezlda_context *context, double *distance, size_t n)
{
    double *mean, all = 0;
    EZ_TRY(ez_array(&mean, context, n, sizeof *mean, "principal axes"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (size_t i = 0; i < n; i++) {
        double *row = distance + i * n;
        mean[i] = 0;
        for (size_t j = 0; j < n; j++) {
            row[j] *= row[j];
            mean[i] += row[j] / (double)n;
        }
    }
    for (size_t i = 0; i < n; i++)
        all += mean[i] / (double)n;
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            distance[i * n + j] = -(distance[i * n + j] - mean[i] - mean[j] + all) / 2;
    ez_free(mean);
    return EZLDA_OK;
}

/* Scales an eigenvector to coordinates. An eigenvalue that is only rounding gives zeros. */
static void scale_axis(double *axis, size_t n, double value)
{
    double most = 0, factor = value > 1e-8 ? sqrt(value) : 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(axis[i]) > fabs(most) ? axis[i] : most;
    for (size_t i = 0; i < n; i++)
        axis[i] = factor > 0 ? axis[i] * (most < 0 ? -factor : factor) : 0;
}

ezlda_status ez_principal_axes(ezlda_context *context, double *distance, size_t n, double *x,
                               double *y)
{
    lanczos l = {.matrix = distance,
                 .n = n,
                 .most = n < EZ_MOST_DIRECTIONS ? n : EZ_MOST_DIRECTIONS,
                 .threads = ez_threads(context)};
    ezlda_status status;
    EZ_TRY_GOTO(centre(context, distance, n));
    EZ_TRY_GOTO(make_room(&l, context));
    double first = largest(&l, x);
    l.without = x;
    double second = largest(&l, y);
    scale_axis(x, n, first);
    scale_axis(y, n, second);
done:
    free_room(&l);
    return status;
}
