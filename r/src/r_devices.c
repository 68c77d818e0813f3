/* Lists the devices of the machine, and opens one before it is needed. */
#include "r_ezlda.h"

enum { MOST_DEVICES = 64, FACTS = 8 };

typedef struct listing {
    ezlda_device device[MOST_DEVICES];
    size_t n;
} listing;

static void add_device(const ezlda_device *device, void *user)
{
    listing *list = user;
    if (list->n < MOST_DEVICES)
        list->device[list->n++] = *device;
}

static SEXP device_facts(const ezlda_device *device)
{
    r_list facts;
    r_list_open(&facts, FACTS);
    r_list_text(&facts, "device", device->device);
    r_list_text(&facts, "name", device->name);
    r_list_flag(&facts, "usable", device->usable != 0);
    r_list_flag(&facts, "chosen", device->chosen != 0);
    r_list_text(&facts, "kernels", device->kernels);
    r_list_number(&facts, "processors", device->processors);
    r_list_number(&facts, "memory_bytes", (double)device->memory_bytes);
    r_list_text(&facts, "reason", device->reason);
    UNPROTECT(1);
    return facts.list;
}

SEXP r_devices(SEXP context)
{
    r_context *owner = r_context_of(context);
    ezlda_devices_info info = {.size = sizeof info};
    listing *list = (listing *)R_alloc(1, sizeof *list);
    list->n = 0;
    ezlda_status status = ezlda_devices(&info, owner->context, add_device, list);
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    SEXP devices = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)list->n));
    for (size_t i = 0; i < list->n; i++)
        SET_VECTOR_ELT(devices, (R_xlen_t)i, device_facts(&list->device[i]));
    r_list result;
    r_list_open(&result, 5);
    r_list_add(&result, "devices", devices);
    r_list_text(&result, "choice", info.choice);
    r_list_text(&result, "why", info.why);
    r_list_text(&result, "covers", info.covers);
    r_list_text(&result, "no_cuda", info.no_cuda);
    UNPROTECT(2);
    return result.list;
}

SEXP r_open_device(SEXP context, SEXP device)
{
    r_context *owner = r_context_of(context);
    ezlda_status status = ezlda_context_open_device(owner->context, r_path(device));
    return status == EZLDA_OK ? R_NilValue : r_failed(owner, status);
}
