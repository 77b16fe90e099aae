import Foundation
import Testing

/// Fails unless two bodies are the same, and says where they differ first. `#expect` looks for the smallest difference, which
/// of megabytes takes hours.
public func expectSame(_ found: Data?, _ wanted: Data, sourceLocation: SourceLocation = #_sourceLocation) {
    guard found != wanted else { return }
    let found = found ?? Data()
    let same = zip(found, wanted).prefix { $0 == $1 }.count
    Issue.record(
        "\(found.count) bytes, of which the first \(same) are the same as those of \(wanted.count)",
        sourceLocation: sourceLocation)
}
