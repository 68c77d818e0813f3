/* The opcodes of the pickles that the gensim export needs. */
#include "export/pickle_writer.h"

#include <string.h>

static void put(ez_pickle *pickle, const void *bytes, size_t n)
{
    if (pickle->status == EZLDA_OK)
        pickle->status = ez_output_write(pickle->output, pickle->context, bytes, n);
}

static void put_op(ez_pickle *pickle, char op)
{
    put(pickle, &op, 1);
}

ezlda_status ez_pickle_open(ez_pickle *pickle, ezlda_context *context, const char *path)
{
    *pickle = (ez_pickle){.context = context};
    EZ_TRY(ez_output_open(&pickle->output, context, path));
    put(pickle, "\x80\x02", 2);
    return EZLDA_OK;
}

ezlda_status ez_pickle_close(ez_pickle *pickle)
{
    put_op(pickle, '.');
    if (pickle->status == EZLDA_OK)
        return ez_output_commit(pickle->output, pickle->context);
    ez_output_abandon(pickle->output);
    return pickle->status;
}

void ez_pickle_none(ez_pickle *pickle)
{
    put_op(pickle, 'N');
}

void ez_pickle_bool(ez_pickle *pickle, bool value)
{
    put_op(pickle, value ? '\x88' : '\x89');
}

/* Writes 32 bits with a sign, or a long of eight bytes. */
void ez_pickle_int(ez_pickle *pickle, int64_t value)
{
    bool small = value >= INT32_MIN && value <= INT32_MAX;
    if (small)
        put(pickle, "J", 1);
    else
        put(pickle, "\x8a\x08", 2);
    put(pickle, &value, small ? 4 : 8);
}

/* The highest byte comes first. */
void ez_pickle_float(ez_pickle *pickle, double value)
{
    unsigned char bytes[9] = {'G'};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (unsigned char)(bits >> (56 - 8 * i));
    put(pickle, bytes, sizeof bytes);
}

void ez_pickle_string(ez_pickle *pickle, const char *text)
{
    size_t n = strlen(text);
    if (n > UINT32_MAX) {
        if (pickle->status == EZLDA_OK)
            pickle->status = ez_fail(pickle->context, EZLDA_ERROR_UNSUPPORTED,
                                     "a string over 4 GiB in a pickle");
        return;
    }
    uint32_t length = (uint32_t)n;
    put_op(pickle, 'X');
    put(pickle, &length, sizeof length);
    put(pickle, text, n);
}

void ez_pickle_strings(ez_pickle *pickle, const char *const *texts)
{
    put(pickle, "](", 2);
    for (; *texts; texts++)
        ez_pickle_string(pickle, *texts);
    put_op(pickle, 'e');
}

void ez_pickle_begin_dict(ez_pickle *pickle)
{
    put(pickle, "}(", 2);
}

void ez_pickle_end_dict(ez_pickle *pickle)
{
    put_op(pickle, 'u');
}

static void put_global(ez_pickle *pickle, const char *module, const char *name)
{
    put_op(pickle, 'c');
    put(pickle, module, strlen(module));
    put_op(pickle, '\n');
    put(pickle, name, strlen(name));
    put_op(pickle, '\n');
}

void ez_pickle_begin_object(ez_pickle *pickle, const char *module, const char *name)
{
    put_global(pickle, module, name);
    put(pickle, ")\x81}(", 4);
}

void ez_pickle_end_object(ez_pickle *pickle)
{
    put(pickle, "ub", 2);
}

void ez_pickle_begin_call(ez_pickle *pickle, const char *module, const char *name)
{
    put_global(pickle, module, name);
}

void ez_pickle_end_call(ez_pickle *pickle)
{
    put(pickle, "\x85R", 2);
}
