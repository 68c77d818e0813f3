/* The model of several devices against what was measured on an H200 and its host: from the
 * figures of one device, it must come within a quarter of each. The time that each device repeats
 * (tables) was derived from runs on two and four devices. */
#include "check.h"

#include "train/forecast/scale_model.h"

static const double DEVICE_MEMORY_RATE = 4.3e12, HOST_LINK = 55.3e9;
/* MPICH's ranks on one machine: fitted to the two measurements of GPUs summed through the host. */
static const double RANKS_RATE = 1.6e9;
static const uint64_t DEVICE_MEMORY = 141000000000;

static const ez_scale_corpus rnews = {106495, 25972998, 37790, 1024, 3734, 4473205};
static const ez_scale_steps rnews_steps = {
    .prepare = 0.155e-3, .tables = 0.8e-3, .tokens = 2.225e-3};

static void check_near(double predicted, double measured, const char *what)
{
    double ratio = predicted / measured;
    printf("  %s: predicted %.4g, measured %.4g, %.2f\n", what, predicted, measured, ratio);
    CHECK(ratio > 0.75 && ratio < 1.25);
}

static ez_scale predict(const ez_scale_corpus *corpus, const ez_scale_steps *steps,
                        ez_scale_machines machines)
{
    ez_scale out;
    machines.sharing = machines.sharing ? machines.sharing : 1;
    machines.machines = machines.machines ? machines.machines : 1;
    machines.shards = machines.shards ? machines.shards : 1;
    machines.device_memory = machines.device_memory ? machines.device_memory : DEVICE_MEMORY;
    machines.host_link = HOST_LINK;
    machines.link = machines.link > 0 ? machines.link : DEVICE_MEMORY_RATE;
    ez_scale_predict(&out, corpus, steps, &machines);
    return out;
}

TEST(one_member_is_the_plan_itself)
{
    ez_scale one = predict(&rnews, &rnews_steps, (ez_scale_machines){.gpus = true});
    CHECK(fabs(one.seconds - 3.18e-3) < 1e-9);
    CHECK(one.here == 0 && one.beyond == 0);
    CHECK_EQ(one.chunks, 1);
    CHECK_EQ(one.shard_tokens, rnews.tokens);
}

TEST(members_of_one_gpu)
{
    static const double measured[] = {3.285e-3, 3.434e-3, 3.557e-3};
    for (uint32_t n = 2; n <= 4; n++) {
        ez_scale s = predict(&rnews, &rnews_steps,
                             (ez_scale_machines){.shards = n, .sharing = n, .gpus = true});
        check_near(s.seconds, measured[n - 2], "devices of one GPU");
        if (n == 4)
            check_near(s.here, 0.053e-3, "... their sums");
    }
}

TEST(ranks_that_share_a_gpu_through_the_host)
{
    for (uint32_t n = 2; n <= 3; n++) {
        ez_scale s = predict(
            &rnews, &rnews_steps,
            (ez_scale_machines){.machines = n, .sharing = n, .gpus = true, .network = RANKS_RATE});
        check_near(s.seconds, n == 2 ? 18.1e-3 : 24.4e-3, "ranks on one GPU");
    }
}

TEST(ranks_on_cores)
{
    ez_scale_corpus corpus = {106495, 25972998, 37790, 1000, 3798, 4408393};
    ez_scale_steps steps = {.tokens = 15.67 / 3};
    ez_scale one = predict(&corpus, &steps, (ez_scale_machines){.machines = 1});
    ez_scale two =
        predict(&corpus, &steps, (ez_scale_machines){.machines = 2, .network = RANKS_RATE});
    CHECK(fabs(one.seconds - 15.67 / 3) < 1e-9);
    check_near(two.seconds, 7.86 / 3, "two ranks on two cores");
    CHECK_EQ(two.device_bytes, 0);
}

/* PubMed's size, drawn by `ezlda synth`: the whole on the device, and in four chunks. */
TEST(memory_and_chunks)
{
    static const struct {
        uint32_t topics;
        double taken, speed, limit, chunked_speed;
    } measured[] = {{1000, 12.46e9, 7038e6, 6.26e9, 2987e6},
                    {10000, 14.41e9, 4306e6, 7.58e9, 2618e6},
                    {32768, 14.80e9, 3841e6, 8.44e9, 2288e6}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        ez_scale_corpus corpus = {8200000, 737900000, 141043, measured[i].topics, 0, 0};
        ez_scale_steps steps;
        ez_scale_zipf(corpus.tokens, corpus.words, corpus.topics, &corpus.dense_words,
                      &corpus.sparse_tokens);
        ez_scale_known_steps(&steps, &corpus, corpus.words,
                             (double)corpus.tokens / measured[i].speed);
        ez_scale whole = predict(&corpus, &steps, (ez_scale_machines){.gpus = true});
        ez_scale cut = predict(
            &corpus, &steps,
            (ez_scale_machines){.gpus = true, .device_memory = (uint64_t)measured[i].limit});
        check_near((double)whole.device_bytes, measured[i].taken, "device memory");
        check_near((double)corpus.tokens / cut.seconds, measured[i].chunked_speed,
                   "tokens/s in chunks");
        CHECK_EQ(whole.chunks, 1);
        CHECK(cut.chunks >= 4 && cut.chunks <= 5);
        CHECK(cut.device_bytes <= (uint64_t)measured[i].limit);
    }
}

TEST(more_bandwidth_is_not_slower)
{
    double before = INFINITY;
    for (double rate = 1e9; rate < 1e12; rate *= 2) {
        ez_scale s =
            predict(&rnews, &rnews_steps,
                    (ez_scale_machines){
                        .machines = 4, .shards = 8, .gpus = true, .network = rate, .link = rate});
        CHECK(s.seconds < before);
        CHECK(fabs(s.work + s.here + s.beyond - s.seconds) < 1e-12);
        before = s.seconds;
    }
}

TEST(too_little_memory)
{
    ez_scale s =
        predict(&rnews, &rnews_steps, (ez_scale_machines){.gpus = true, .device_memory = 20000000});
    CHECK_EQ(s.chunks, 0);
    CHECK(s.device_bytes > 20000000);
}

TEST(chunks_taken_out_again)
{
    const double link = 50e9;
    CHECK(fabs(ez_scale_resident(0.36 + 0.15 * 0.1, 1000000000, link) - 0.1) < 1e-9);
    CHECK(fabs(ez_scale_resident(0.80 + 0.15 * 0.36, 1000000000, link) - 0.8) < 1e-9);
    CHECK(ez_scale_resident(0.1, 1000000000, link) == 0);
}

TEST(known_steps)
{
    ez_scale_steps steps;
    ez_scale_known_steps(&steps, &rnews, rnews.words, 0);
    check_near(steps.prepare + steps.tables + steps.tokens, 3.45e-3, "an iteration of one device");
    check_near(steps.prepare, rnews_steps.prepare, "... preparing");
    ez_scale_known_steps(&steps, &rnews, rnews.words, 1e-3);
    CHECK(fabs(steps.prepare + steps.tables + steps.tokens - 1e-3) < 1e-9);
    CHECK_EQ(ez_scale_tabled_words(100, 10, 8192), 100);
    CHECK_EQ(ez_scale_tabled_words(100, 10, 8193), 10);
}

TEST(zipf)
{
    uint32_t frequent;
    uint64_t others;
    ez_scale_zipf(1000000, 1000, 0, &frequent, &others);
    CHECK_EQ(frequent, 1000);
    CHECK_EQ(others, 0);
    ez_scale_zipf(1000000, 1000, 1000000, &frequent, &others);
    CHECK_EQ(frequent, 0);
    CHECK_EQ(others, 1000000);
    ez_scale_zipf(1000000, 1000, 999, &frequent, &others);
    CHECK_EQ(frequent, 133); /* 1000000 / 7.4859 / 1000 */
    CHECK(others > 250000 && others < 300000);
}

TEST_MAIN()
