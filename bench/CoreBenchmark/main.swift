import Dispatch
import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Rates of OmbiCore against a server that answers small JSON, for scripts/bench-core. One line per measurement: name,
// in flight, requests, requests a second, microseconds of processor time a request, resident KiB before and after, and how
// often a thread that waited was woken.
//
//     CoreBenchmark URL COUNT ["NAME WIDTH"]     rates
//     CoreBenchmark URL COUNT SLA                how late a run without a response ends
//     CoreBenchmark URL COUNT soak NAME          resident KiB, descriptors and threads after each tenth of COUNT requests

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]), count > 0 else {
    print("usage: CoreBenchmark http://127.0.0.1:PORT/PATH COUNT [\"NAME WIDTH\" | SLA | soak NAME]")
    exit(2)
}
let chosen = arguments.count > 3 ? arguments[3] : nil
let doors = try Doors(host: arguments[1])

switch chosen {
case "SLA": measureSLA()
case "soak":
    let name = arguments.count > 4 ? arguments[4] : "callback"
    try await Soak(doors: doors, host: arguments[1]).run(name, count: count)
default:
    for width in [1, 32] {
        for door in doors.all where chosen == nil || chosen == "\(door.name) \(width)" {
            measure(door, width: width, count: count)
        }
    }
}
