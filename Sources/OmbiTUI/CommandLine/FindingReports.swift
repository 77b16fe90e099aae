import ArgumentParser

/// The option for the reports of commands that find errors and differences: each is a case that fails.
struct FindingReports: ParsableArguments {
    private static let formats: [ReportFormat] = [.junit, .tap, .github]

    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Write a report: junit, tap or github, and a file; github=- prints annotations. Repeatable.",
            valueName: "format=file"))
    var reports: [String] = []

    func validate() throws {
        guard try !targets().contains(where: { $0.path == nil && $0.format != .github }) else {
            throw ValidationError("The standard output has room for one form; name a file in --report.")
        }
    }

    /// True where annotations go to the standard output.
    var printsReport: Bool { ((try? targets()) ?? []).contains { $0.path == nil } }

    private func targets() throws -> [ReportTarget] { try ReportTarget.list(reports, in: Self.formats) }

    /// Fails where a report cannot be written, before anything is looked for.
    func check() throws { try ReportFiles.check(try targets()) }

    /// Writes the reports.
    /// - Parameters:
    ///   - command: the words of the command.
    ///   - unit: the word for a case.
    func write(_ cases: [ReportedRun], of command: String, unit: String) throws {
        let targets = try targets()
        guard !targets.isEmpty else { return }
        var report = ReportedRuns()
        (report.title, report.unit, report.startedAt) = (command, unit, Date())
        for (number, one) in cases.enumerated() {
            var one = one
            one.place.number = number
            one.place.name = ReportText.cut(one.place.name, to: ReportText.maximumName)
            one.failures = one.failures.map { ReportText.cut($0, to: ReportText.maximumMessage) }
            report.add(one)
        }
        report.finish()
        var isWritten = true
        for target in targets {
            if !ReportFiles.write(target.format.text(report) ?? "", to: target.path) { isWritten = false }
        }
        if !isWritten { throw ExitStatus.inputOutput }
    }
}

extension ReportedRun {
    /// A case of a report about what a command finds; it fails where there is a failure.
    fileprivate init(_ place: Place, _ failures: [String]) {
        self.init(
            place: place, verdict: failures.isEmpty ? .passed : .failed,
            failureClass: failures.isEmpty ? nil : .expectation, failures: failures)
    }

    /// A case for each error of a file, and one for a file without errors.
    static func cases(of file: String, _ problems: [Problem]) -> [ReportedRun] {
        let errors = problems.filter { $0.severity == .error }
        let path = ReportFiles.path(of: file)
        guard !errors.isEmpty else {
            var valid = ReportedRun(Place(suite: [file], name: "has no errors", file: path), [])
            valid.notes = problems.map(\.description)
            return [valid]
        }
        return errors.map { error in
            ReportedRun(
                Place(suite: [file], name: error.message, file: path, line: error.position?.line), [error.message])
        }
    }

    /// A case for each difference, and one for each request without any.
    static func cases(of document: String, _ items: [SpecifiedItem], _ all: [SpecificationDrift.Difference])
        -> [ReportedRun]
    {
        let path = ReportFiles.path(of: document)
        let place = { (name: String) in Place(suite: [document], name: name, file: path) }
        let differing = Set(all.compactMap(\.item))
        return all.map { ReportedRun(place($0.item ?? $0.operation), [$0.line]) }
            + items.filter { !differing.contains($0.name) }.map { ReportedRun(place($0.name), []) }
    }
}

extension ComparisonReport {
    /// A case for each request, which fails where its responses differ or one is missing.
    var cases: [ReportedRun] {
        let compared = comparisons.map { comparison -> ReportedRun in
            let details = Self.lines(comparison, isColored: false).dropFirst().map { String($0.drop { $0 == " " }) }
            var run = ReportedRun(
                Self.place(of: comparison.request), comparison.isSame ? [] : [comparison.verdict] + details)
            (run.status, run.duration) = (comparison.new.status, comparison.new.duration ?? .zero)
            return run
        }
        return compared + missing.map { ReportedRun(Self.place(of: $0.request), [$0.reason]) }
    }

    private static func place(of request: ItemPath) -> ReportedRun.Place {
        let file = ReportFiles.path(of: request.file)
        return ReportedRun.Place(
            suite: [file] + request.path.dropLast(), name: request.path.last ?? file, file: file)
    }
}
