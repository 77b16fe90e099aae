import Dispatch
import OmbiCore

/// Runs a load, after a warm-up, and prints its line.
func measure(_ door: Doors.Door, width: Int, count: Int) {
    _ = door.run(min(count, 500), width)
    let before = residentKiB()
    let (used, woken) = (processorTime(), wakeUps())
    let begin = ContinuousClock.now
    let failures = door.run(count, width)
    let seconds = (begin.duration(to: .now) / .milliseconds(1)) / 1000
    let micros = (processorTime() - used) * 1_000_000 / Double(count)
    let fields = [
        door.name, "\(width)", "\(count)", "\(Int(Double(count) / seconds))", "\((micros * 10).rounded() / 10)",
        "\(before)",
        "\(residentKiB())", "\(wakeUps() - woken)",
    ]
    print((fields + (failures == 0 ? [] : ["\(failures) failed"])).joined(separator: "\t"))
}

/// How far from its SLA a run ends that gets no answer.
func measureSLA() {
    let silent = RequestManager(host: "http://stub", transport: SilentTransport())
    let deviations = (0..<50).map { _ -> Double in
        let ended = DispatchSemaphore(value: 0)
        let begin = ContinuousClock.now
        silent.send(GetUser(), sla: 0.1) { _ in ended.signal() }
        ended.wait()
        return begin.duration(to: .now) / .milliseconds(1) - 100
    }.sorted()
    print("SLA of 100 ms\t50 runs\tended \(deviations[25]) ms late (median), \(deviations[49]) ms at most")
}

struct SilentTransport: Transport {
    struct Attempt: TransportTask {
        func cancel() {}
    }

    func start(_ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void) -> any TransportTask
    {
        Attempt()
    }
}
