import OmbiProcess
import OmbiTerminal

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The browser of the desktop, if the program runs on one.
enum Browser {
    /// The program that opens a page; nil where there is none, as over SSH.
    static func program(
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        isInstalled: (String) -> Bool = ClipboardSurroundings.isInstalled
    ) -> String? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Editors that work over SSH set it to a program that opens pages on the near machine.
        if let own = value("BROWSER"), !own.contains(where: { $0 == " " || $0 == ":" || $0 == "%" }) { return own }
        let isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { value($0) != nil }
        guard !isRemote else { return nil }
        #if os(macOS)
        return "open"
        #else
        if value("WSL_DISTRO_NAME") != nil, isInstalled("wslview") { return "wslview" }
        let hasDisplay = value("WAYLAND_DISPLAY") != nil || value("DISPLAY") != nil
        return hasDisplay && isInstalled("xdg-open") ? "xdg-open" : nil
        #endif
    }

    /// Opens a page, and says once what came of it. Blocks until the program has ended.
    static func show(_ url: String, with program: String? = program(), report: (Notice) -> Void) {
        guard let program else {
            return report(Notice(.info, "There is no browser here; y copies the URL for another one"))
        }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        do throws(Subprocess.Failure) {
            let process = try Subprocess([program, url], files: [0: null, 1: null, 2: null], ownSession: true)
            if let status = process.wait(atMost: patience) { return report(notice(program, status)) }
            // A browser that was not running yet goes on as that program.
            report(notice(program, 0))
            _ = process.wait()
        } catch {
            report(Notice(.failure, "\(error.description); y copies the URL"))
        }
    }

    private static let patience = Duration.seconds(5)

    private static func notice(_ program: String, _ status: Int32) -> Notice {
        status == 0
            ? Notice(.success, "Opened in the browser")
            : Notice(.failure, "\(program) failed with status \(status); y copies the URL")
    }
}
