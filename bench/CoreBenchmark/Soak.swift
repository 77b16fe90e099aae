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
        guard name != "events" else { return try await readEvents(count) }
        guard let door = ways.first(where: { $0.name == name }) else {
            print("unknown: \(name); there are \((ways.map(\.name) + ["events"]).joined(separator: ", "))")
            return
        }
        print("\(name)\trequests\tresident KiB\tdescriptors\tthreads")
        for tenth in 0...10 {
            if tenth > 0 { _ = door.run(count / 10, 32) }
            print("\(name)\t\(count / 10 * tenth)\t\(residentKiB())\t\(descriptorCount())\t\(threadCount())")
        }
    }

    /// Server-sent events from a server that ends its responses: the reader connects again until there were enough.
    private func readEvents(_ count: Int) async throws {
        print("events\tevents\tresident KiB\tdescriptors\tthreads")
        var done = 0
        for try await _ in doors.manager.events(GetUser()) {
            if done % max(count / 10, 1) == 0 {
                print("events\t\(done)\t\(residentKiB())\t\(descriptorCount())\t\(threadCount())")
            }
            done += 1
            if done > count { return }
        }
    }

    private var ways: [Doors.Door] { [Doors.Door("publisher", byPublisher)] + doors.all }

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
