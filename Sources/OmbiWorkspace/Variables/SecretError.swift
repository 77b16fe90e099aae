/// The error of a secret without a value. Never holds the value.
package struct SecretError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notSet
        case empty
        case notText
        case unreadable(FileError)
        /// A program that failed, as a sentence.
        case failed(String)
        /// A program that has not been run, or a question that has not been asked.
        case notObtained
        /// Nobody answered the question.
        case unanswered
    }

    package var secret: Secret
    package var reason: Reason
    /// The name of the local file that may have the value instead; nil where there is none.
    var localFile: String?

    /// The cause in a few words, for where the secret stands beside it.
    package var brief: String {
        switch reason {
        case .notSet: "not set"
        case .empty: "empty"
        case .notText: "not UTF-8 text"
        case .unreadable(let error): error.reason
        case .failed(let reason): reason
        case .notObtained: "not used yet"
        case .unanswered: "not typed"
        }
    }

    /// A secret that can be had: the session obtains it.
    var missing: MissingSecret? {
        reason == .notObtained ? MissingSecret(name: secret.name, description: description) : nil
    }
}

extension SecretError: CustomStringConvertible {
    package var description: String {
        let name = "the secret \"\(secret.name)\""
        switch reason {
        case .failed(let text): return "\(name): \(text)"
        case .notObtained: return "\(name) has not been obtained"
        case .unanswered: return "\(name) is typed when it is needed, and was not; --set \(secret.name)=… gives it"
        case .notSet, .empty, .notText, .unreadable: break
        }
        return switch (secret.source, reason) {
        case (.environment(let variable), _):
            "{{\(secret.name)}} reads \(variable), which is \(brief); export it and run Ombi again"
                + (localFile.map { ", or put the value into \($0)" } ?? "")
        case (.file(let path), .unreadable(let error)): "\(name) is in the file \(path): \(error)"
        case (.file(let path), .notText): "\(name) is in the file \(path), which is not UTF-8 text"
        case (.file(let path), _): "\(name) is in the file \(path), which is empty"
        case (.envFile(let path, _), .unreadable(let error)): "\(name) is in \(path): \(error)"
        case (.envFile(let path, _), _): "\(name) is in \(path): \(brief)"
        case (.command, _), (.prompt, _), (.keyring, _), (.value, _): "\(name): \(brief)"
        }
    }
}

extension Secret.Source {
    /// True for a value that takes a program or a person, and is kept once it is there.
    package var isObtained: Bool {
        switch self {
        case .command, .prompt, .keyring: true
        case .environment, .file, .envFile, .value: false
        }
    }

    /// True for a value that is read from a file each time.
    var isInFile: Bool {
        switch self {
        case .file, .envFile: true
        case .environment, .value, .command, .prompt, .keyring: false
        }
    }

    /// Returns the reason of a failed command. `secret-tool` says nothing of an entry that it does not find.
    func explain(_ failure: SecretCommand.Failure) -> String {
        guard case .keyring(let service, let account) = self, failure.silentStatus == 1 else { return failure.reason }
        let attributes = ["service", service] + (account.map { ["account", $0] } ?? [])
        return "the keyring has no entry for it; `secret-tool store --label=\(ShellQuotes.word(service)) "
            + "\(attributes.map(ShellQuotes.word).joined(separator: " "))` adds one"
    }
}
