import OmbiDocument

/// The place of the credentials that an imported file has in clear.
public enum ImportedSecretPlace: String, CaseIterable, Sendable {
    /// The local file beside the collection.
    case local
    /// The keyring of the desktop, in which the user puts them.
    case keyring
    /// None: the collection names variables of the process environment.
    case drop
}

extension Imported {
    /// The collection as it is written.
    public func written(keeping place: ImportedSecretPlace) -> Collection {
        let name = collection.name
        return written { secret in
            switch place {
            case .local: nil
            case .keyring: .keyring(service: name, account: secret.account)
            case .drop: .environment(secret.variable)
            }
        }
    }

    /// Writes a new file, and the credentials into the local file beside it. Returns false, without a change, for a
    /// file that has the same content already.
    /// - Throws: a `FileError` with the code `isThere` for a file with other content.
    public func write(
        to path: String, keeping place: ImportedSecretPlace, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(FileError) -> Bool {
        var content: [UInt8]? = Array(written(keeping: place).text.utf8)
        do throws(FileError) {
            guard try fileSystem.read(path) == content else {
                throw FileError(operation: "write", path: path, code: FileError.isThere)
            }
            return false
        } catch  where error.isAbsence {}
        if place == .local, !secrets.isEmpty, let local = OverlayFile.path(for: path) {
            // First: a collection whose secrets are nowhere is of no use.
            let ofAll = secrets.filter { $0.environment == nil }.map { (name: $0.name, value: $0.value) }
            let ofOne = secrets.compactMap { secret in
                secret.environment.map { (environment: $0, name: secret.name, value: secret.value) }
            }
            try OverlayFile.add(ofAll, ofEnvironments: ofOne, to: local, fileSystem)
        }
        try FileReplacement.save(to: path, overwriting: false, fileSystem: fileSystem) { () throws(FileError) in
            content.take()
        }
        return true
    }
}

extension ImportedSecret {
    /// A command that puts the credential into the keyring, which asks for the value.
    public func keyringCommand(service: String) -> String {
        ["secret-tool", "store", "--label", service, "service", service, "account", account]
            .map(ShellQuotes.word).joined(separator: " ")
    }

    /// The account in the keyring.
    var account: String { environment.map { "\($0)/\(name)" } ?? name }

    /// The variable of the process environment.
    var variable: String {
        let words = (environment.map { $0 + "_" } ?? "") + name
        let letters = words.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return letters.first?.isNumber ?? true ? "_" + String(letters) : String(letters)
    }
}
