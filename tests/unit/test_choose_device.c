/* From a device's name to its backend; the list of devices. */
#include "check.h"

#include "backend/choose_device.h"

#include <string.h>

static const ez_backend_ops *find(const char *device)
{
    const ez_backend_ops *ops = NULL;
    ez_device_choice choice;
    ez_gpus gpus;
    CHECK_OK(check_context(), ez_device_parse(&choice, check_context(), device));
    CHECK_OK(check_context(), ez_backend_find(&ops, &gpus, check_context(), &choice));
    CHECK_EQ(gpus.n > 0, ops != &ez_cpu_backend && ops != &ez_reference_backend);
    return ops;
}

TEST(names_of_backends)
{
    CHECK(find("cpu") == &ez_cpu_backend);
    CHECK(find("reference") == &ez_reference_backend);
    CHECK(find("auto") != NULL);
    CHECK(find("auto") == find(NULL));
}

TEST(what_is_no_name_of_a_device)
{
    static const char *const names[] = {"",       "gpu",     "CPU",     "cuda:",    "cuda:-1",
                                        "cuda:x", "cuda:0,", "cuda: 0", "cuda:0x1", "cuda:12345",
                                        "cpu:0",  "autos",   "cuda:+1", "cuda:1.0", "cuda:0123c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ez_device_choice choice;
        ezlda_context *context = check_context();
        ez_clear(context);
        CHECK_EQ(ez_device_parse(&choice, context, names[i]), EZLDA_ERROR_ARGUMENT);
        CHECK(strstr(ezlda_error_message(context), "expected auto, cuda, cuda:N, cuda:N,N,...") !=
              NULL);
    }
}

TEST(a_device_that_is_not_there)
{
    const ez_backend_ops *ops = NULL;
    ez_device_choice choice;
    ez_gpus gpus;
    ezlda_context *context = check_context();
    ez_clear(context);
    CHECK_OK(context, ez_device_parse(&choice, context, "cuda:9999"));
    CHECK(choice.kind == EZ_DEVICE_CUDA_NUMBERS && choice.named.n == 1);
    CHECK_EQ(choice.named.number[0], 9999);
    ezlda_status status = ez_backend_find(&ops, &gpus, context, &choice);
    CHECK(status == EZLDA_ERROR_DEVICE || status == EZLDA_ERROR_UNSUPPORTED);
    CHECK(ops == NULL && strstr(ezlda_error_message(context), "CUDA") != NULL);
}

typedef struct seen_devices {
    int devices, chosen;
    char last[16], choice[16];
} seen_devices;

static void see(const ezlda_device *device, void *user)
{
    seen_devices *seen = user;
    seen->devices++;
    CHECK_EQ(device->size, sizeof *device);
    CHECK(device->name[0] && device->processors > 0);
    CHECK_EQ(device->reason[0] == '\0', device->usable);
    snprintf(seen->last, sizeof seen->last, "%s", device->device);
    if (device->chosen) {
        seen->chosen++;
        snprintf(seen->choice, sizeof seen->choice, "%s", device->device);
        CHECK(device->usable && device->kernels[0]);
    }
}

TEST(the_list_ends_with_the_cpu_and_has_one_choice)
{
    seen_devices seen = {0};
    ezlda_devices_info info = {.size = sizeof info};
    CHECK_OK(check_context(), ezlda_devices(&info, check_context(), see, &seen));
    CHECK(seen.devices > 0 && seen.chosen == 1);
    CHECK_STR(seen.last, "cpu");
    CHECK_STR(seen.choice, info.choice);
    CHECK_EQ(info.no_cuda[0] != '\0', seen.devices == 1);
    CHECK(info.why[0] != '\0');
}

TEST(callers_of_an_older_header_get_what_they_know)
{
    unsigned char bytes[sizeof(ezlda_devices_info)];
    memset(bytes, 0xa5, sizeof bytes);
    ezlda_devices_info *info = (ezlda_devices_info *)(void *)bytes;
    size_t known = offsetof(ezlda_devices_info, covers);
    memcpy(bytes, &known, sizeof known);
    CHECK_OK(check_context(), ezlda_devices(info, check_context(), NULL, NULL));
    CHECK_EQ(info->size, known);
    for (size_t i = known; i < sizeof bytes; i++)
        CHECK_EQ(bytes[i], 0xa5);
    CHECK_OK(check_context(), ezlda_devices(NULL, check_context(), NULL, NULL));
}

TEST_MAIN()
