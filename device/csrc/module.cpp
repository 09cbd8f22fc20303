// The Python module torch_neuronx._C: what the package needs of the extension, and nothing more.

#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/pybind.h>

#include "allocator.h"
#include "faults.h"
#include "generator.h"
#include "operator_info.h"
#include "process_group.h"
#include "runtime.h"
#include "startup.h"
#include "view.h"

namespace py = pybind11;

namespace neuron {
namespace {

// One entry of a compiled graph's argument or result list; what is no tensor passes unchanged.
template <class Convert>
py::list map_tensors(const py::list& values, Convert convert) {
  py::list mapped(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    py::handle value = values[i];
    mapped[i] = THPVariable_Check(value.ptr())
                    ? py::reinterpret_steal<py::object>(THPVariable_Wrap(convert(THPVariable_Unpack(value.ptr()))))
                    : py::reinterpret_borrow<py::object>(value);
  }
  return mapped;
}

// ChargeScope as a Python context manager.
class PyChargeScope {
 public:
  explicit PyChargeScope(int core) : core_(core) {}
  void enter() { scope_.emplace(core_); }
  void exit(const py::args& /*error*/) { scope_.reset(); }

 private:
  int core_;
  std::optional<ChargeScope> scope_;
};

py::dict ledger_figures(int core) {
  const auto account = Runtime::instance().ledger(core).snapshot();
  py::dict figures;
  figures["current_bytes"] = account.current_bytes;
  figures["peak_bytes"] = account.peak_bytes;
  figures["capacity_bytes"] = account.capacity_bytes;
  figures["num_allocations"] = account.num_allocations;
  figures["num_refusals"] = account.num_refusals;
  return figures;
}

void bind_runtime(py::module_& m) {
  m.def("start", &start_device, py::arg("num_cores"), py::arg("capacity_bytes"));
  m.def("touch", [] { Runtime::instance().touch(Runtime::current_core()); });
  m.def("touch_core", [](int core) { Runtime::instance().touch(core); });
  m.def("is_initialized", [] { return Runtime::instance().is_initialized(); });
  m.def("is_forked", [] { return Runtime::instance().is_forked(); });
  m.def("own_only", [](int core) { Runtime::instance().own_only(core); });
  m.def("owned_core", [] { return Runtime::instance().owned_core(); });
  m.def("num_cores", [] { return Runtime::instance().num_cores(); });
  m.def("current_core", [] { return Runtime::current_core(); });
  m.def("set_current_core", [](int core) { Runtime::instance().set_current_core(core); });
  m.def("default_generator", [](int core) { return default_generator(core); });
}

void bind_memory(py::module_& m) {
  m.def("ledger", &ledger_figures);
  m.def("set_capacity", [](int core, int64_t bytes) { Runtime::instance().ledger(core).set_capacity(bytes); });
  m.def("reset_peak", [](int core) { Runtime::instance().ledger(core).reset_peak(); });
  m.def("reset_counts", [](int core) { Runtime::instance().ledger(core).reset_counts(); });
  py::class_<PyChargeScope>(m, "ChargeScope")
      .def(py::init<int>())
      .def("__enter__", &PyChargeScope::enter)
      .def("__exit__", &PyChargeScope::exit);
}

void bind_views(py::module_& m) {
  m.def("cpu_views", [](const py::list& values) { return map_tensors(values, cpu_view); });
  m.def("adopt", [](const at::Tensor& tensor, int core) { return adopt(tensor, core); });
}

void bind_operators(py::module_& m) {
  m.def("executed_operators", [] { return OperatorLog::instance().executed(); });
  m.def("fallback_operators", [] { return OperatorLog::instance().fallen_back(); });
  m.def("clear_operators", [] { OperatorLog::instance().clear(); });
  m.def("set_fallback_operators",
        [](std::set<std::string> names) { OperatorLog::instance().set_fallback_names(std::move(names)); });
}

void bind_faults(py::module_& m) {
  py::enum_<FaultEffect>(m, "FaultEffect")
      .value("RAISE", FaultEffect::Raise)
      .value("OUT_OF_MEMORY", FaultEffect::OutOfMemory)
      .value("HANG", FaultEffect::Hang)
      .value("CRASH", FaultEffect::Crash)
      .value("WRONG_NUMBERS", FaultEffect::WrongNumbers)
      .value("LOST", FaultEffect::Lost);
  py::class_<Fault>(m, "Fault")
      .def(py::init([](std::string pattern, FaultEffect effect, std::string message, uint64_t nth, bool and_later) {
             return Fault{std::move(pattern), effect, std::move(message), nth, and_later};
           }),
           py::arg("name_pattern"), py::arg("effect"), py::arg("message"), py::arg("nth"), py::arg("and_later"));
  m.def("set_faults", [](std::vector<Fault> faults) { FaultPlan::instance().set(std::move(faults)); });
}

void bind_process_group(py::module_& m) {
  py::module_::import("torch._C._distributed_c10d");  // knows the base class
  py::class_<NeuronBackend, c10::intrusive_ptr<NeuronBackend>, c10d::Backend>(m, "NeuronBackend")
      .def(py::init([](c10::intrusive_ptr<c10d::Backend> inner) {
        return c10::make_intrusive<NeuronBackend>(std::move(inner));
      }));
}

}  // namespace
}  // namespace neuron

PYBIND11_MODULE(_C, m) {
  neuron::bind_runtime(m);
  neuron::bind_memory(m);
  neuron::bind_views(m);
  neuron::bind_operators(m);
  neuron::bind_faults(m);
  neuron::bind_process_group(m);
}
