import Dispatch
import OmbiCore

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// Many requests through one door, with what the process holds after each tenth of them.
struct Soak {
    let doors: Doors
    let host: String

    func run(_ name: String, count: Int) async throws {
        guard let start = ways[name] else {
            print("unknown: \(name); there are \(ways.keys.sorted().joined(separator: ", "))")
            return
        }
        print("\(name)\trequests\tresident KiB\tdescriptors\tthreads")
        for tenth in 0...10 {
            if tenth > 0 { _ = Load(count: count / 10, start).run(width: 32) }
            print("\(name)\t\(count / 10 * tenth)\t\(residentKiB())\t\(descriptorCount())\t\(threadCount())")
        }
    }

    private var ways: [String: Load.Start] {
        ["publisher": byPublisher].merging(doors.all) { $1 }
    }

    /// The subscription is kept until the end, as a program would keep it.
    private var byPublisher: Load.Start {
        { [manager = doors.manager] done in
            let keeper = Lock<AnyCancellable?>(nil)
            let subscription = manager.makeRequest(GetUser()).sink(
                receiveCompletion: { completion in
                    let kept = keeper.withLock { keeper in
                        defer { keeper = nil }
                        return keeper
                    }
                    withExtendedLifetime(kept) {
                        if case .finished = completion { done(true) } else { done(false) }
                    }
                }, receiveValue: { _ in })
            keeper.withLock { $0 = subscription }
        }
    }
}
