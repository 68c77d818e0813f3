/* The driver's calls for modules and kernels, and the launch of a kernel. */
#include "fake_driver.h"

#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <string>

struct CUmod_st {
    void *library;
    void *(*static_shared)();
    std::vector<CUfunction> functions;
};

struct CUfunc_st {
    const simt_kernel *kernel;
    CUmodule module;
    int dynamic_limit;
};

namespace
{

/* The path of a kernel file, which lies beside this library. A second build of it reports every access (races). */
std::string kernel_path(const std::string &name)
{
    Dl_info info;
    dladdr(reinterpret_cast<void *>(&cuInit), &info);
    std::string path = info.dli_fname;
    return path.substr(0, path.rfind('/') + 1) + (fake_number("SIMT_RACES", 0) ? "watched/" : "kernels/") + name +
           ".so";
}

/* The name of a kernel file stands for an image; false for anything else, such as compiled code. */
bool image_name(const void *image, std::string *name)
{
    const char *text = static_cast<const char *>(image);
    for (size_t i = 0; i < 64; i++) {
        if (text[i] == '\0' && i > 0) {
            *name = text;
            return true;
        }
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') || text[i] == '_'))
            return false;
    }
    return false;
}

/* A launch that may run later, so it has a copy of the parameters. */
struct launch {
    simt_grid grid;
    std::vector<std::vector<unsigned char>> values;
    std::vector<void *> parameters;
};

std::shared_ptr<launch> keep(const simt_grid &grid, void **parameters)
{
    auto out = std::make_shared<launch>();
    for (unsigned i = 0; i < grid.kernel->parameters; i++) {
        const unsigned char *value = static_cast<const unsigned char *>(parameters[i]);
        out->values.emplace_back(value, value + grid.kernel->parameter_size[i]);
    }
    for (auto &value : out->values)
        out->parameters.push_back(value.data());
    out->grid = grid;
    out->grid.parameters = out->parameters.data();
    return out;
}

/* SIMT_LOG=FILE: one line per launch. */
void log_launch(const simt_grid &grid)
{
    const char *path = fake_text("SIMT_LOG", nullptr);
    FILE *file = path ? fopen(path, "a") : nullptr;
    if (!file)
        return;
    fprintf(file, "%s %u %u %zu\n", grid.kernel->name, grid.blocks.x, grid.threads.x, grid.dynamic_bytes);
    fclose(file);
}

int blocks_at_once(int threads, size_t shared)
{
    int by_threads = FAKE_THREADS_A_PROCESSOR / threads;
    int by_shared = static_cast<int>(FAKE_SHARED_ALL / (shared + FAKE_SHARED_RESERVED));
    int blocks = by_threads < by_shared ? by_threads : by_shared;
    int most = static_cast<int>(fake_number("SIMT_BLOCKS", 32));
    return blocks > most ? most : blocks;
}

} // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_NO_BINARY_FOR_GPU);
    std::string name;
    if (!image_name(image, &name))
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    void *library = dlopen(kernel_path(name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        simt_fail("cuModuleLoadData: %s", dlerror());
    void *shared = dlsym(library, "simt_module_shared");
    *module = fake_handle(new CUmod_st{library, reinterpret_cast<void *(*)()>(shared), {}});
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    ENTER_CONTEXT;
    if (!module)
        return CUDA_ERROR_INVALID_HANDLE;
    fake_wait_all(fake_current);
    for (CUfunction function : module->functions)
        delete function;
    delete module;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_NOT_FOUND);
    const void *kernel = dlsym(module->library, (std::string("simt_kernel_") + name).c_str());
    if (!kernel)
        return CUDA_ERROR_NOT_FOUND;
    *function = new CUfunc_st{static_cast<const simt_kernel *>(kernel), module, FAKE_SHARED_DEFAULT};
    module->functions.push_back(*function);
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
    ENTER_CONTEXT_WITH(CUDA_ERROR_INVALID_VALUE);
    if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return CUDA_SUCCESS;
    if (value < 0 || value > fake_shared_most())
        return CUDA_ERROR_INVALID_VALUE;
    function->dynamic_limit = value;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
    ENTER_CONTEXT;
    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = static_cast<int>(function->kernel->most_threads); break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = function->dynamic_limit; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 32; break;
    default: *value = 0;
    }
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction, int threads, size_t shared)
{
    ENTER_CONTEXT;
    if (threads < 1)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = blocks_at_once(threads, shared);
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y,
                        unsigned threads_z, unsigned shared, CUstream stream, void **parameters, void **extra)
{
    ENTER_CONTEXT;
    uint64_t threads = static_cast<uint64_t>(threads_x) * threads_y * threads_z;
    if (x == 0 || y == 0 || z == 0 || threads == 0 || threads > SIMT_MOST_THREADS || extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (shared > static_cast<unsigned>(function->dynamic_limit))
        return CUDA_ERROR_INVALID_VALUE;
    if (threads > function->kernel->most_threads)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    simt_grid grid = {function->kernel, function->module->static_shared,
                      {x, y, z},        {threads_x, threads_y, threads_z},
                      shared,           nullptr};
    log_launch(grid);
    auto kept = keep(grid, parameters);
    fake_submit(stream, [kept] {
        fake_open_all();
        simt_run(kept->grid);
        fake_check_ends(kept->grid.kernel->name);
        fake_close_all();
    });
    return CUDA_SUCCESS;
}
}
