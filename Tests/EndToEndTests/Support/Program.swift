import Foundation

/// The programs that the build puts beside the tests.
enum Program {
    static let ombi = path("ombi")
    static let demoServer = path("ombi-demo-server")

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// What went wrong in a story, in words.
struct StoryFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
