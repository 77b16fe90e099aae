import ArgumentParser
import OmbiTerminal
import OmbiWorkspace

/// `ombi trust`: allows collections to run commands, and to read what is outside their folder, for their secrets.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Allow collections to run commands and read secrets, after asking.",
        discussion: """
            Trust holds until the file runs or reads something else, or sends it elsewhere.
            Exit status: 0 trusted; 1 not trusted; 2 invalid command line or file; 3 a file could not be read or written.
            """)

    @Argument(help: "Collection files, or folders that contain some.")
    var paths: [String] = []

    @Flag(help: "List the trusted files.")
    var list = false

    @Flag(help: "Revoke trust in the files.")
    var revoke = false

    func validate() throws {
        if list, revoke || !paths.isEmpty { throw ValidationError("--list goes alone.") }
        if !list, paths.isEmpty { throw ValidationError("Name a collection file, or --list.") }
    }

    func run() throws {
        guard let store = TrustStore.standard else {
            StandardError.print("ombi: there is no home folder to keep trust in; set HOME or XDG_STATE_HOME")
            throw ExitStatus.inputOutput
        }
        if list { return show(store) }
        if revoke { return try end(store) }
        try ask(Trust(store: store))
    }

    private func show(_ store: TrustStore) {
        for entry in store.entries {
            StandardOutput.print(SafeText.line(entry.path))
            for line in entry.lines { StandardOutput.print("    " + SafeText.line(line)) }
        }
    }

    private func end(_ store: TrustStore) throws {
        for path in paths {
            do throws(FileError) {
                let wasTrusted = try store.revoke(path)
                StandardError.print(SafeText.line(path) + (wasTrusted ? " is trusted no longer" : " was not trusted"))
            } catch { throw failed(error) }
        }
    }

    private func ask(_ trust: Trust) throws {
        var isRefused = false
        for file in CollectionFinder.load(paths) {
            guard let collection = file.collection else {
                for problem in file.problems { StandardError.print(SafeText.line(problem.description)) }
                throw file.isUnreadable ? ExitStatus.inputOutput : ExitStatus.misuse
            }
            let path = SafeText.line(file.path)
            guard let request = trust.request(for: collection, file: file.path) else {
                StandardError.print("\(path) needs no trust")
                continue
            }
            if trust.isTrusted(request) {
                StandardError.print("\(path) is trusted already")
                continue
            }
            StandardOutput.print(request.isChanged ? "\(path) has changed since it was trusted:" : "What \(path) does:")
            for line in request.lines { StandardOutput.print("    " + SafeText.line(line.marked(in: request))) }
            guard try isYes() else {
                isRefused = true
                continue
            }
            do throws(FileError) { try trust.accept(request) } catch { throw failed(error) }
        }
        if isRefused { throw ExitStatus.failure }
    }

    private func isYes() throws -> Bool {
        guard let answer = ControllingTerminal.line(prompt: "Trust it until one of these changes? [y/N] ") else {
            StandardError.print("ombi: there is no terminal to ask on; ombi run --trust trusts a file for one run")
            throw ExitStatus.misuse
        }
        return ["y", "yes"].contains(answer.lowercased())
    }

    private func failed(_ error: FileError) -> ExitStatus {
        StandardError.print("ombi: " + SafeText.line(error.description))
        return .inputOutput
    }
}
