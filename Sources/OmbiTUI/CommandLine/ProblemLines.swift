/// The problems of one file as lines for people: one mistake of a program that writes files comes ten thousand times.
struct ProblemLines {
    static let maximumLines = 20

    let lines: [String]

    /// Errors come first where not all problems are shown.
    /// - Parameter remedy: the clause that says how to see all of them.
    init(_ problems: [Problem], remedy: String = "`ombi check` prints all") {
        guard let file = problems.first?.file, problems.count > Self.maximumLines else {
            lines = problems.map(Self.line)
            return
        }
        let ordered = problems.filter { $0.severity == .error } + problems.filter { $0.severity != .error }
        let rest = Count.of(problems.count - Self.maximumLines, "more problem")
        lines = ordered.prefix(Self.maximumLines).map(Self.line) + [SafeText.line("\(file): \(rest); \(remedy)")]
    }

    static func line(_ problem: Problem) -> String { SafeText.line(problem.description) }

    /// Prints them on standard error.
    func report() {
        for line in lines { StandardError.print(line) }
    }
}
