import Foundation

/// Waits until something is so that nobody tells of. False when it has not come to be for five minutes.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

#if os(Linux)
/// The threads of this process.
func threadCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
#endif
