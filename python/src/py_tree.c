/* Trees of topics, and the consensus of several models. A tree is a capsule that keeps its model.
 */
#include "py_ezlda.h"

static const char capsule_name[] = "ezlda tree";

typedef struct tree_holder {
    ezlda_tree *tree;
    PyObject *model; /* lives at least as long */
} tree_holder;

static void holder_free(tree_holder *holder)
{
    ezlda_tree_free(holder->tree);
    Py_XDECREF(holder->model);
    PyMem_Free(holder);
}

static void capsule_free(PyObject *capsule)
{
    holder_free(PyCapsule_GetPointer(capsule, capsule_name));
}

static const ezlda_tree *tree_of(PyObject *capsule)
{
    const tree_holder *holder = PyCapsule_GetPointer(capsule, capsule_name);
    return holder ? holder->tree : NULL;
}

static PyObject *tree_make(PyObject *module, PyObject *args)
{
    PyObject *context, *object, *words;
    ezlda_tree_options options;
    ezlda_model *model;
    py_call call;
    ezlda_tree_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOO", &context, &object, &words) ||
        py_u32(words, "words", &options.words) < 0 || !(model = py_model_of(module, object)))
        return NULL;
    tree_holder *holder = PyMem_Calloc(1, sizeof *holder);
    if (!holder)
        return PyErr_NoMemory();
    holder->model = object;
    Py_INCREF(object);
    PyObject *result = NULL;
    if (py_call_begin(&call, module, context) == 0) {
        PyThreadState *thread = PyEval_SaveThread();
        ezlda_status status = ezlda_tree_make(&holder->tree, call.context, model, &options);
        PyEval_RestoreThread(thread);
        if (py_call_end(&call, status) == 0)
            result = PyCapsule_New(holder, capsule_name, capsule_free);
    }
    if (!result)
        holder_free(holder);
    return result;
}

/* (left, right, parent, topics, tokens, loss, total_loss, words); -1: no node. */
static PyObject *node_of(const ezlda_tree_node *node)
{
    PyObject *words = PyTuple_New((Py_ssize_t)node->n_words);
    for (uint32_t i = 0; words && i < node->n_words; i++) {
        PyObject *word = PyLong_FromUnsignedLong(node->words[i]);
        if (!word || PyTuple_SetItem(words, (Py_ssize_t)i, word) < 0)
            Py_CLEAR(words);
    }
    if (!words)
        return NULL;
#define NODE(x) ((x) == EZLDA_NO_NODE ? -1LL : (long long)(x))
    return Py_BuildValue("LLLIKddN", NODE(node->left), NODE(node->right), NODE(node->parent),
                         node->topics, (unsigned long long)node->tokens, node->loss,
                         node->total_loss, words);
#undef NODE
}

static PyObject *tree_nodes(PyObject *module, PyObject *capsule)
{
    const ezlda_tree *tree = tree_of(capsule);
    PyObject *list = tree ? PyList_New(0) : NULL;
    ezlda_tree_node node = {.size = sizeof node};
    (void)module;
    for (uint32_t i = 0; list && ezlda_tree_get_node(tree, i, &node); i++) {
        PyObject *item = node_of(&node);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *tree_cut(PyObject *module, PyObject *args)
{
    PyObject *context, *capsule, *number;
    const ezlda_tree *tree;
    ezlda_model *model = NULL;
    uint32_t topics;
    py_call call;
    if (!PyArg_ParseTuple(args, "OOO", &context, &capsule, &number) ||
        py_u32(number, "topics", &topics) < 0 || !(tree = tree_of(capsule)) ||
        py_call_begin(&call, module, context) < 0)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    ezlda_status status = ezlda_tree_cut(&model, call.context, tree, topics);
    PyEval_RestoreThread(thread);
    return py_call_end(&call, status) < 0 ? NULL : py_model_new(module, model);
}

/* The handles of a list of models; NULL with an exception. */
static const ezlda_model **models_of(PyObject *module, PyObject *list, size_t n)
{
    const ezlda_model **models = PyMem_Calloc(n + 1, sizeof *models);
    bool good = models != NULL;
    for (size_t i = 0; good && i < n; i++) {
        models[i] = py_model_of(module, PyList_GetItem(list, (Py_ssize_t)i));
        good = models[i] != NULL;
    }
    if (good)
        return models;
    if (!models)
        PyErr_NoMemory();
    PyMem_Free(models);
    return NULL;
}

static PyObject *consensus(PyObject *module, PyObject *args)
{
    PyObject *context, *corpus_object, *list;
    ezlda_consensus_options options;
    ezlda_model *model = NULL;
    ezlda_corpus *corpus;
    py_call call;
    ezlda_consensus_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOO!d", &context, &corpus_object, &PyList_Type, &list,
                          &options.threshold) ||
        !(corpus = py_corpus_of(module, corpus_object)))
        return NULL;
    size_t n = (size_t)PyList_Size(list);
    const ezlda_model **models = models_of(module, list, n);
    PyObject *result = NULL;
    if (models && py_call_begin(&call, module, context) == 0) {
        Py_INCREF(list); /* keeps the models while others run */
        PyThreadState *thread = PyEval_SaveThread();
        ezlda_status status = ezlda_consensus(&model, call.context, corpus, models, n, &options);
        PyEval_RestoreThread(thread);
        Py_DECREF(list);
        result = py_call_end(&call, status) < 0 ? NULL : py_model_new(module, model);
    }
    PyMem_Free(models);
    return result;
}

static PyObject *model_found(PyObject *module, PyObject *object)
{
    ezlda_model *model = py_model_of(module, object);
    ezlda_model_info info = {.size = sizeof info};
    if (!model)
        return NULL;
    const uint32_t *found = ezlda_model_found(model);
    ezlda_model_get_info(model, &info);
    return found ? PyBytes_FromStringAndSize((const char *)found,
                                             (Py_ssize_t)(info.topics * sizeof *found))
                 : Py_BuildValue("");
}

PyMethodDef py_tree_functions[] = {
    {"tree_make", tree_make, METH_VARARGS, "tree_make(context, model, words) -> tree"},
    {"tree_nodes", tree_nodes, METH_O,
     "tree_nodes(tree) -> list of (left, right, parent, topics, tokens, loss, total_loss, words)"},
    {"tree_cut", tree_cut, METH_VARARGS, "tree_cut(context, tree, topics) -> model"},
    {"consensus", consensus, METH_VARARGS,
     "consensus(context, corpus, models, threshold) -> model"},
    {"model_found", model_found, METH_O, "model_found(model) -> bytes or None"},
    {NULL, NULL, 0, NULL}};
