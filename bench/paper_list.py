"""The list of claims, in the order of the paper."""

import paper_claims as c
from paper_claims import Claim, at_least, at_most, over_sets, same, within

# How, in short; the page explains the words.
WATCH = "watched"
LOG = "log"
THREE = "log, the paper's setting"
SHORT = "short logs, the paper's setting"

LESS_CERTAIN = ("Documents drawn from a model mix topics more than text does, and the fewer tokens a corpus has, the "
                "less certain its tokens are at an iteration: real text of like size is the one to compare.")


def other_device(results):
    return "Another GPU, some years younger, and other kernels." if results.gpu else "A CPU, not a GPU."


CLAIMS = [
    Claim("I-B", "UMBC with 32,768 topics trains on one GPU within 700 s", "700 s on a V100", c.umbc, ("large",), THREE,
          "The paper does not say after how many iterations.", near=at_most),
    Claim("I-B", "three branches avoid sampling over 70 % of the tokens after 100 iterations on large data sets",
          "PubMed, UMBC: > 70 %", over_sets(c.s_skipped, c.percents, (0, 70, 70)), ("shares",),
          WATCH + ", S' not made, g = 2, last iteration", LESS_CERTAIN, near=at_least),
    Claim("III-A, Fig. 3", "tokens that keep their topic at iteration 50", "PubMed: > 70 %",
          over_sets(c.unchanged, c.percents, (0, 70, 0)), ("shares",), WATCH + ", half-way", LESS_CERTAIN,
          near=at_least),
    Claim("III-A, Fig. 3", "tokens in their word's most popular topic at iteration 50", "PubMed: > 60 %",
          over_sets(c.max_topic, c.percents, (0, 60, 0)), ("shares",), WATCH + ", half-way", LESS_CERTAIN,
          near=at_least),
    Claim("III-B", "skipping is sound: a token that is skipped ends where it would have ended", "argued", c.exact,
          ("speed",), "hash of the topics of all tokens after whole trainings; [the proof](arithmetic.md)",
          "A decision that changes a topic is a bug.", near=same),
    Claim("III-B", "g = 2 is significantly faster than g = 1, at similar cost", "chosen by them", c.speed_by_g,
          ("looked-up",), SHORT,
          "A look-up costs every token and pays for those that it decides, which are few in early iterations; by "
          "default both ways are tried and the faster one is taken.", near=at_least),
    Claim("III-C", "finding the top topics of all words (step 1) costs next to nothing", "negligible",
          over_sets(c.step_share("prepare"), c.percents, (10, 10, 10)), ("steps",), "share of the pass `prepare`",
          "The rest of an iteration is faster than the paper's; the pass also makes all weights of the words.",
          near=at_most),
    Claim("III-D, Fig. 6", "naive dropping of tokens that stayed fails: once they are sampled again, perplexity is "
          "worse than before dropping and far from the right curve", "dropped from iteration 72, sampled again from 90",
          c.dropped, ("dropping",),
          "`paper_drop`: a plain loop, ESCA; dropped are tokens that kept their topic for five iterations",
          "It fails here too, and stays behind the run without dropping, but does not fall below where it was before.",
          near=at_most),
    Claim("IV-A, Fig. 7", "density of W and D falls rapidly with K (NYTimes)", "a plot", c.densities, ("density",),
          WATCH + ": entries that are not 0, last iteration", "Density did not fall.", near=same),
    Claim("IV-B", "16 bits are enough for a topic and for a count", "K up to 65,536", c.sixteen_bits, (),
          "tests with documents of more than 65,535 tokens", ""),
    Claim("IV-C", "more than 80 % of the tokens belong to words with dense rows", "> 80 %",
          over_sets(c.dense_share, c.percents, (80, 80, 80)), ("shape",), "`paper_shape`: words of more than K tokens",
          "The fewer tokens a corpus has, the fewer words have more than K.", near=at_least),
    Claim("IV-C", "the update of W takes a very short time", "-", over_sets(c.step_share("update"), c.percents),
          ("steps",), "share of counting W in an iteration", ""),
    Claim("V-A, Fig. 8", "a few frequent words hold the majority of the tokens: a power law", "a plot",
          over_sets(c.heavy_words, c.percents, (50, 50, 50)), ("shape",), "`paper_shape`: tokens of 1 % of the words",
          "In a small vocabulary 1 % are few words.", near=at_least),
    Claim("V-A", "workers with whole words are unequal; regions of 10,000 tokens mend that", "-",
          over_sets(c.busy, c.times), ("shape",), "`paper_shape`, computed: the busiest of 160 workers, words dealt "
          "out whole, over the busiest with regions, taken as workers get free", ""),
    Claim("V-B", "parts of as many documents have about as many tokens", "UMBC in four: 5 % apart",
          over_sets(c.part_sizes, c.percents, (5, 5, 5)), ("shape",), "`paper_shape`: largest of four over smallest",
          "Few or ordered documents are uneven; we cut documents by their tokens.", near=at_most),
    Claim("VI-A, Table I", "memory on PubMed: W, D, T, total",
          "GB, K = 1,000: 0.31, 0.98, 4.97, 6.26; 10,000: 1.63, 0.98, 4.97, 7.58; 32,768: 2.5, 0.98, 4.97, 8.44; "
          "8 chunks",
          c.memory, ("memory",), "W, D, T: by layout (`paper_shape`); total: the most that the device had allocated",
          "In chunks it did not fit into the paper's total.", near=at_most),
    Claim("VI-A, Table I", "total against cuLDA and SaberLDA (4.69, 14.41, 39.01 GB)",
          "33 % more / 47 % less / 78 % less",
          c.against_culda, ("memory",), "in chunks, as the paper's figures are; negative: less",
          "The number of chunks is the least that fits the paper's total, not eight."),
    Claim("VI-A, Fig. 10c", "1.5 times the speed of SaberLDA in the first 100 iterations", "NYTimes: 1.5x (GTX 1080)",
          over_sets(c.speed_of("three", "two"), c.times, (1.5,)), ("speed",),
          THREE + ", over two branches of our own, as SaberLDA has: it is not public",
          "Our two branches are not SaberLDA's: the same kernels without decisions, so this is what deciding early "
          "alone gains or costs, from a random start on.", near=at_least),
    Claim("VI-A, Fig. 10, 11a", "converges in less time than two-branch sampling", "plots",
          over_sets(c.convergence, c.times, (1, 1, 1)), ("speed",),
          "seconds to the last LLPT of two branches, over the same with three branches",
          "The iterations are the same to the last bit, so this is the ratio of their speeds.", near=at_least),
    Claim("VI-A, Fig. 11", "M tokens/s in the first 100 iterations, NYTimes / PubMed",
          "905 / 770; cuLDA 633 / 686 (V100)", over_sets(c.rates("three"), c.millions, (905, 770)), ("speed",), THREE,
          other_device, near=at_least),
    Claim("-", "the same with our defaults", "-", over_sets(c.rates("ours"), c.millions), ("speed",),
          "log, our defaults", ""),
    Claim("VI-B, Fig. 12a", "all data sets train with 32,768 topics on one GPU", "yes", c.large_k, ("large",), THREE,
          ""),
    Claim("VI-B, Fig. 12b", "S' not made at iteration 100", "50 / 74 / 89 %",
          over_sets(c.s_skipped, c.percents, (50, 74, 89)), ("shares",), WATCH + ", g = 2, last iteration",
          LESS_CERTAIN),
    Claim("VI-B, Fig. 12b", "final sampling skipped at iteration 100", "60 / 87 / 93 %",
          over_sets(c.final_skipped, c.percents, (60, 87, 93)), ("shares",), WATCH + ", last iteration", LESS_CERTAIN),
    Claim("VI-B, Fig. 12b", "a larger g skips more", "a plot", c.by_g, ("shares",),
          WATCH + ", g = 1 / 2 / 4 / 8, last iteration", "A larger g decided fewer.", near=same),
    Claim("VI-B, Fig. 13a", "hybrid W is faster than dense W", "UMBC: 1.34x",
          over_sets(c.gains("layouts", "hybrid", "dense"), c.times, (1.34, 1.34, 1.34)), ("layouts",), SHORT,
          "Weights of count 0 are tabulated, whatever the format, so a rare word loses less by a dense row; more at "
          "larger K (below).", near=within(0.1)),
    Claim("VI-B, Fig. 13a", "... and than sparse W", "UMBC: 1.47x",
          over_sets(c.gains("layouts", "hybrid", "sparse"), c.times, (1.47, 1.47, 1.47)), ("layouts",), SHORT,
          "The whole corpus is on the device, so a sparse W needs no second transfer of the chunks.", near=within(0.1)),
    Claim("VI-B, Fig. 13b", "hybrid takes less space than dense W at K = 10,000", "UMBC: 47.8 % less",
          over_sets(c.w_space("w_dense"), c.percents, (47.8, 47.8, 47.8)), ("shape",),
          "`paper_shape`: bytes of W alone",
          "This is W alone, and depends on how many words are rare."),
    Claim("VI-B, Fig. 13b", "... and than sparse W", "UMBC: 17.8 % less",
          over_sets(c.w_space("w_sparse"), c.percents, (17.8, 17.8, 17.8)), ("shape",),
          "`paper_shape`: a sparse row has room for min(tokens, K) entries",
          "An entry and a count both take 4 bytes here: a dense row saves time over a full sparse one, not space."),
    Claim("VI-B, Fig. 14", "storing pairs: NYTimes / PubMed / UMBC", "1.12x / 1.19x / 1.22x",
          over_sets(c.gains("pairs", "packed", "loose"), c.times, (1.12, 1.19, 1.22)), ("pairs",),
          SHORT + "; `--records packed` over `loose`",
          "Packed is a cache line a word for all of K1 .. K8; C1 and C2 are not stored at all: there is less to pair.",
          near=within(0.1)),
    Claim("VI-C, Fig. 15a", "balanced over unbalanced: NYTimes / PubMed / UMBC", "1.1x / 1.7x / 1.2x",
          over_sets(c.gains("balance", "split", "none"), c.times, (1.1, 1.7, 1.2)), ("balance",),
          SHORT + "; `--balance split` over `none`",
          "The faster everything else, the more the block with the most frequent word is waited for.",
          near=within(0.1)),
    Claim("VI-C, Fig. 15b", "achieved occupancy rises", "27 %", over_sets(c.occupancies, c.percents, (27, 27, 27)),
          ("occupancy",), "Nsight Compute: kernels of the words pass, by their time",
          "Unbalanced, all but one block are done early and the kernel waits for the last."),
    Claim("VI-C, Fig. 16", "four GPUs: NYTimes / PubMed / UMBC", "3.44x / 3.34x / 3.36x", c.shard_rows, ("shards",),
          "short logs, our defaults, over one. One GPU named several times shows what parting and summing cost: no "
          "speedup is to be had", ""),
    Claim("VI-D, Fig. 17a", "looking up C1, C2 and deciding (steps 2 and 3) take 8 % and 12 % of the time",
          "20 % together",
          over_sets(c.look_ups, c.percents, (20, 20, 20)), ("steps",),
          "the documents pass with three branches less that with two, over the iteration",
          "A look-up costs about the same for every token; its share grows as the rest gets faster."),
    Claim("VI-D, Fig. 17b", "three branches execute fewer instructions", "49 % fewer",
          over_sets(c.fewer_instructions, c.percents, (49, 49, 49)), ("steps", "instructions"),
          "Nsight Compute: all kernels of an iteration half-way, three branches against two",
          "A token that is drawn costs fewer instructions here, so skipping it saves fewer."),
    Claim("VI-D, Fig. 18, 19", "GPU generations, M tokens/s: NYTimes / PubMed / UMBC",
          "V100 991 / 945 / 1,007; GTX 1080 250 / 311 / 363", over_sets(c.rates("three"), c.millions, (991, 945, 1007)),
          ("speed",), THREE + "; one device was at hand", other_device, near=at_least),
    Claim("VI", "runs of the same training differ by less than 1 %", "< 1 %", c.spread, ("spread",), SHORT,
          "Other programs ran on the machine, or its clocks moved.", near=at_most),
]
