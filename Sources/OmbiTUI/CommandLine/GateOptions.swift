import ArgumentParser
import OmbiWorkspace

/// The options that let collections use what is this machine's own, for one run.
struct GateOptions: ParsableArguments {
    @Flag(help: "Let the collections send what they name of this machine where their files say now, and print it.")
    var trust = false

    @Option(
        name: .customLong("grant"),
        help: "Let one source go to one destination: NAME=URL, such as TOKEN=https://api.example.com. Repeatable.")
    var grants: [String] = []

    func validate() throws { _ = try patterns() }

    private func patterns() throws -> [GrantPattern] {
        try grants.map { text in
            guard let pattern = GrantPattern(text) else {
                throw ValidationError("--grant \(text): write NAME=URL, such as TOKEN=https://api.example.com.")
            }
            return pattern
        }
    }

    /// The gate of the run.
    func gate() throws -> Gate { Gate(patterns: try patterns()) }

    /// Answers for what has no grant when the requests are prepared; nil where nothing more is allowed.
    var asking: (@Sendable (RunOrder, GateQuestion) async -> GateAnswer)? {
        guard trust else { return nil }
        return { _, question in
            for line in question.lines {
                StandardError.print("ombi: \(SafeText.line(question.name)) \(SafeText.line(line))")
            }
            return .allowedNow
        }
    }
}
