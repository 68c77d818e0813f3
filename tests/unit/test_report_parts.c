/* The report's parts that can be seen without a page: dates, JSON and base64, requests, the map. */
#include "crafted_model.h"

#include "base/json_writer.h"
#include "report/content/field_bins.h"
#include "report/report.h"
#include "report/server/doc_search.h"
#include "report/server/http_request.h"

#include <math.h>

/* ---- dates ---- */

static void check_date(const char *text, ez_date_unit unit, int64_t number)
{
    ez_date date;
    CHECK(ez_date_parse(text, &date));
    CHECK_EQ(date.unit, unit);
    CHECK_EQ(ez_date_number(&date, unit), number);
}

TEST(dates_are_read)
{
    check_date("2019", EZ_DATE_YEAR, 2019);
    check_date("0001", EZ_DATE_YEAR, 1);
    check_date("2019-12", EZ_DATE_MONTH, 2019 * 12 + 11);
    check_date("0001-01-01", EZ_DATE_DAY, 0);
    check_date("1970-01-01", EZ_DATE_DAY, 719162);
    check_date("2020-02-29", EZ_DATE_DAY, 737483);
    check_date("1999-12-31T23:59:59Z", EZ_DATE_DAY, 730118);
    check_date("9999-12-31 00:00", EZ_DATE_DAY, 3652058);
}

TEST(every_day_of_centuries_comes_back)
{
    ez_date first, date;
    CHECK(ez_date_parse("1896-01-01", &first));
    int64_t day = ez_date_number(&first, EZ_DATE_DAY);
    for (int64_t i = day; i < day + 250 * 366; i++) {
        ez_date_of_day(i, &date);
        if (ez_date_number(&date, EZ_DATE_DAY) != i)
            CHECK_EQ(ez_date_number(&date, EZ_DATE_DAY), i);
    }
}

TEST(spreads_keep_their_size)
{
    CHECK_EQ(ez_spread_code(0), 0);
    CHECK_EQ(ez_spread_code(-1e-9), 0);
    CHECK_EQ(ez_spread_code(1), 1024);
    CHECK_EQ(ez_spread_code(1023), 10240);
    CHECK_EQ(ez_spread_code(1e300), UINT16_MAX);
}

TEST(other_texts_are_no_dates)
{
    static const char *const texts[] = {
        "",         "x",         "19",          "19991",      "0000",       "2019-",
        "2019-13",  "2019-00",   "2019-1",      "2019-02-29", "2019-04-31", "2019/05",
        "20190501", "2019-05-1", "2019-05-17x", " 2019",      "-999",       "2019-05-"};
    ez_date date;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (ez_date_parse(texts[i], &date))
            CHECK_STR(texts[i], "no date");
}

/* ---- text ---- */

static const char *as_json(ez_buffer *text, const char *string)
{
    ez_json json = {.context = check_context(), .text = text};
    text->used = 0;
    ez_json_string(&json, string);
    CHECK_OK(check_context(), json.status);
    CHECK_OK(check_context(), ez_buffer_append(text, check_context(), "", 1));
    return (const char *)text->data;
}

TEST(json_strings_cannot_leave_a_page)
{
    ez_buffer text = {0};
    CHECK_STR(as_json(&text, "plain"), "\"plain\"");
    CHECK_STR(as_json(&text, "</script>"), "\"\\u003c/script\\u003e\"");
    CHECK_STR(as_json(&text, "a&b\"c\\d"), "\"a\\u0026b\\u0022c\\u005cd\"");
    CHECK_STR(as_json(&text, "\n\x7f"), "\"\\u000a\\u007f\"");
    CHECK_STR(as_json(&text, "\xe2\x80\xa8 \xe2\x80\xa9 \xe2\x80\xa6"),
              "\"\\u2028 \\u2029 \xe2\x80\xa6\"");
    CHECK_STR(as_json(&text, "\xe6\x95\xb0\xf0\x9f\x98\x80"), "\"\xe6\x95\xb0\xf0\x9f\x98\x80\"");
    CHECK_STR(as_json(&text, NULL), "null");
    ez_free(text.data);
}

TEST(json_numbers)
{
    ez_buffer text = {0};
    ez_json json = {.context = check_context(), .text = &text};
    ez_json_begin(&json, '[');
    ez_json_real(&json, NAN);
    ez_json_real(&json, -INFINITY);
    ez_json_real(&json, 0.25);
    ez_json_whole(&json, UINT64_MAX);
    ez_json_packed(&json, "\1\0\2\0", 2, 2);
    ez_json_packed(&json, NULL, 0, 8);
    ez_json_end(&json, ']');
    CHECK_OK(check_context(), ez_buffer_append(&text, check_context(), "", 1));
    CHECK_STR((char *)text.data, "[null,null,0.25,18446744073709551615,\"AQACAA==\",\"\"]");
    ez_free(text.data);
}

TEST(base64_of_every_remainder)
{
    static const char *const expected[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                           "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    ez_buffer text = {0};
    for (size_t n = 0; n <= 6; n++) {
        text.used = 0;
        CHECK_OK(check_context(), ez_append_base64(&text, check_context(), "foobar", n));
        CHECK_OK(check_context(), ez_buffer_append(&text, check_context(), "", 1));
        CHECK_STR((char *)text.data, expected[n]);
    }
    ez_free(text.data);
}

/* ---- scores ---- */

TEST(a_report_without_scores_says_why)
{
    crafted large = {.topics = 2,
                     .words = 2,
                     .count = {{200000000, 1}, {1, 200000000}},
                     .word = {"river", "music"}};
    ezlda_report report = {0};
    CHECK_OK(check_context(), ez_report_score(&report, check_context()));
    CHECK(strstr(report.scores_note, "need the corpus") != NULL);
    ezlda_corpus *corpus = crafted_corpus(&large);
    report.corpus = corpus;
    CHECK_OK(check_context(), ez_report_score(&report, check_context()));
    CHECK(!report.scores && strstr(report.scores_note, "large") != NULL);
    ezlda_corpus_free(corpus);
}

/* ---- requests ---- */

static int parse(const char *head, ez_http_request *request)
{
    static char room[EZ_HTTP_HEAD];
    snprintf(room, sizeof room, "%s", head);
    return ez_http_parse(room, 8765, request);
}

TEST(requests_are_read)
{
    ez_http_request request;
    char value[EZ_HTTP_VALUE];
    CHECK_EQ(parse("GET /a?x=1&query=%41+b%c3%a9&y HTTP/1.1\r\nhost:  localhost:8765 \r\n\r\n",
                   &request),
             0);
    CHECK_STR(request.path, "/a");
    CHECK(ez_http_value(&request, "query", value));
    CHECK_STR(value, "A b\xc3\xa9");
    CHECK(ez_http_value(&request, "x", value));
    CHECK_STR(value, "1");
    CHECK(!ez_http_value(&request, "y", value));
    CHECK(!ez_http_value(&request, "quer", value));
    CHECK_EQ(parse("HEAD / HTTP/1.0\r\nHost: 127.0.0.1:8765\r\n\r\n", &request), 0);
    CHECK(request.head_only);
}

TEST(other_requests_are_refused)
{
    ez_http_request request;
    char value[EZ_HTTP_VALUE];
    CHECK_EQ(parse("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", &request), 403);
    CHECK_EQ(parse("GET / HTTP/1.1\r\nHost: 127.0.0.1:8765.evil\r\n\r\n", &request), 403);
    CHECK_EQ(parse("GET / HTTP/1.1\r\nAccept: x\r\n\r\n", &request), 400);
    CHECK_EQ(parse("GET / HTTP/2\r\nHost: 127.0.0.1:8765\r\n\r\n", &request), 505);
    CHECK_EQ(parse("POST / HTTP/1.1\r\nHost: 127.0.0.1:8765\r\n\r\n", &request), 405);
    CHECK_EQ(parse("", &request), 400);
    CHECK_EQ(parse("GET /?q=%4 HTTP/1.1\r\nHost: 127.0.0.1:8765\r\n\r\n", &request), 0);
    CHECK(!ez_http_value(&request, "q", value));
    CHECK_EQ(parse("GET /?q=%00 HTTP/1.1\r\nHost: 127.0.0.1:8765\r\n\r\n", &request), 0);
    CHECK(!ez_http_value(&request, "q", value));
}

TEST(numbers_of_documents)
{
    uint64_t number;
    CHECK(ez_take_number("0", 1, &number));
    CHECK(ez_take_number("41", 42, &number));
    CHECK_EQ(number, 41);
    CHECK(!ez_take_number("42", 42, &number));
    CHECK(!ez_take_number("", 42, &number));
    CHECK(!ez_take_number("+1", 42, &number));
    CHECK(!ez_take_number("1 ", 42, &number));
    CHECK(!ez_take_number("99999999999999999999999", UINT64_MAX, &number));
}

/* ---- the map ---- */

/* The Jensen-Shannon divergence of two topics' counts, straight from its definition. */
static double divergence(const crafted *c, uint32_t a, uint32_t b)
{
    double sum = 0, n = (double)crafted_tokens(c, a), m = (double)crafted_tokens(c, b);
    for (uint32_t v = 0; v < c->words; v++) {
        double p = c->count[a][v] / n, q = c->count[b][v] / m, s = (p + q) / 2;
        sum += p > 0 ? p * log(p / s) / 2 : 0;
        sum += q > 0 ? q * log(q / s) / 2 : 0;
    }
    return sum;
}

static double between(const ezlda_report *report, uint32_t a, uint32_t b)
{
    return hypot((double)(report->x[a] - report->x[b]), (double)(report->y[a] - report->y[b]));
}

/* Three points always lie in a plane, so their distances must come back, all by one factor. */
TEST(three_topics_keep_their_distances)
{
    static crafted c;
    crafted_plain(&c, 3, 4);
    c.count[0][0] = 8;
    c.count[0][1] = 2;
    c.count[1][1] = 5;
    c.count[1][2] = 5;
    c.count[2][3] = 9;
    c.count[2][0] = 1;
    ezlda_model *model = crafted_model(&c);
    ezlda_report report = {.model = model};
    CHECK_OK(check_context(), ez_report_map(&report, check_context()));
    double scale = between(&report, 0, 1) / sqrt(divergence(&c, 0, 1));
    CHECK_NEAR(between(&report, 0, 2) / sqrt(divergence(&c, 0, 2)), scale, 1e-5);
    CHECK_NEAR(between(&report, 1, 2) / sqrt(divergence(&c, 1, 2)), scale, 1e-5);
    ez_free(report.x);
    ez_free(report.y);
    ezlda_model_free(model);
}

TEST(the_same_topics_and_empty_ones_have_places)
{
    static crafted c;
    crafted_plain(&c, 5, 3);
    for (uint32_t k = 0; k < 3; k++)
        c.count[k][k == 2] = 7; /* 0 and 1 are the same, 3 and 4 are empty */
    ezlda_model *model = crafted_model(&c);
    ezlda_report report = {.model = model};
    CHECK_OK(check_context(), ez_report_map(&report, check_context()));
    for (uint32_t k = 0; k < 5; k++)
        CHECK(isfinite(report.x[k]) && isfinite(report.y[k]));
    CHECK_NEAR(between(&report, 0, 1), 0.0, 1e-5);
    CHECK_NEAR(between(&report, 3, 4), 0.0, 1e-5);
    CHECK(between(&report, 0, 2) > 0.1);
    ez_free(report.x);
    ez_free(report.y);
    ezlda_model_free(model);
}

/* Without the empty and the hidden topics, the others lie as they lie alone. */
TEST(empty_and_hidden_topics_do_not_move_others)
{
    static crafted c;
    ezlda_report report[2] = {{0}};
    crafted_plain(&c, 6, 5);
    for (uint32_t k = 0; k < 3; k++) {
        c.count[k][k] = 8 - k;
        c.count[k][(k + 1) % 3] = 2;
        c.count[k][3] = 30; /* near each other */
    }
    c.count[4][4] = 90; /* far from all, hidden; 3 and 5 are empty */
    for (int i = 0; i < 2; i++) {
        crafted alone = c;
        alone.topics = i ? 6 : 3;
        ezlda_model *plain = crafted_model(&alone), *model;
        CHECK_OK(check_context(),
                 ezlda_model_with_edits(&model, check_context(), plain, i ? "hide 4" : NULL, NULL));
        report[i].model = model;
        CHECK_OK(check_context(), ez_report_map(&report[i], check_context()));
        ezlda_model_free(plain);
        ezlda_model_free(model);
    }
    for (uint32_t k = 0; k < 3; k++) {
        CHECK_NEAR(report[1].x[k], report[0].x[k], 1e-5);
        CHECK_NEAR(report[1].y[k], report[0].y[k], 1e-5);
    }
    for (uint32_t k = 3; k < 6; k++)
        CHECK_NEAR(hypot((double)report[1].x[k], (double)report[1].y[k]), 0.0, 1e-5);
    for (int i = 0; i < 2; i++) {
        ez_free(report[i].x);
        ez_free(report[i].y);
    }
}

/* Three landmarks, and smaller topics of the same shares: each must lie where its landmark lies. */
TEST(others_are_placed_by_their_landmarks)
{
    static crafted c;
    crafted_plain(&c, 8, 4);
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t like = k < 5 ? k % 3 : k - 5,
                 size = k < 5 ? 1 + k / 3 : 9; /* landmarks are 5, 6, 7 */
        c.count[k][like] = 6 * size;
        c.count[k][3] = 2 * (like + 1) * size;
    }
    ezlda_model *model = crafted_model(&c);
    ezlda_report report = {.model = model};
    CHECK_OK(check_context(), ez_report_map_by(&report, check_context(), 3));
    for (uint32_t k = 0; k < 5; k++)
        CHECK_NEAR(between(&report, k, 5 + k % 3), 0.0, 1e-4);
    double scale = between(&report, 5, 6) / sqrt(divergence(&c, 5, 6));
    CHECK_NEAR(between(&report, 5, 7) / sqrt(divergence(&c, 5, 7)), scale, 1e-4);
    CHECK_NEAR(between(&report, 6, 7) / sqrt(divergence(&c, 6, 7)), scale, 1e-4);
    ez_free(report.x);
    ez_free(report.y);
    ezlda_model_free(model);
}

TEST(similar_topics)
{
    static crafted c;
    crafted_plain(&c, 3, 3);
    c.count[0][0] = c.count[0][1] = 10;
    c.count[1][1] = c.count[1][2] = 20;
    c.count[2][2] = 5;
    ezlda_model *model = crafted_model(&c);
    ezlda_report report = {.model = model};
    CHECK_OK(check_context(), ez_report_neighbours(&report, check_context()));
    CHECK_EQ(report.near, 2);
    CHECK_EQ(report.near_topic[0], 1);
    CHECK_NEAR(report.near_similarity[0], 0.5, 1e-6);
    CHECK_NEAR(report.near_similarity[1], 0.0, 1e-6);
    CHECK_EQ(report.near_topic[2], 2);
    CHECK_NEAR(report.near_similarity[2], sqrt(0.5), 1e-6);
    ez_free(report.near_topic);
    ez_free(report.near_similarity);
    ez_free(report.corpus_similarity);
    ezlda_model_free(model);
}

TEST_MAIN()
