import ArgumentParser
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// `ombi doctor`: what the machine has and lacks for Ombi.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Examine this machine: what Ombi finds here, what it lacks, and what to do.",
        discussion: """
            Nothing secret is read or printed.
            Exit status: 0 nothing is broken; 1 something does not work.
            """)

    @Option(help: "The output format: text or json.")
    var output = RunCommand.Format.text

    func run() throws {
        let doctor = Doctor.machine
        let findings = doctor.findings
        StandardOutput.write(text(findings, doctor.reportGlyphs))
        if findings.contains(where: { $0.state == .problem }) { throw ExitStatus.failure }
    }

    private func text(_ findings: [Finding], _ glyphs: GlyphSet) -> String {
        switch output {
        case .text:
            let columns = findings.map(\.name.count).max() ?? 0
            let lines =
                ["Ombi \(Ombi.configuration.version)"] + findings.map { $0.text(columns: columns, glyphs: glyphs) }
            return lines.joined(separator: "\n") + "\n"
        case .json:
            let value: JSONValue = [
                "version": .string(Ombi.configuration.version), "findings": .array(findings.map(\.json)),
            ]
            return RunJSON.escaped(value.text)
        }
    }
}
