/// Messages about secrets in plain text. None has a value.
enum PlainSecretsNotice {
    /// A collection of that size has been looked through before anybody reads the message.
    private static let maximumSize = 4 << 20

    /// Returns a message about the first secret in files that were read; nil without one.
    static func first(in files: [LoadedCollection]) -> Notice? {
        for file in files where file.fingerprint.content?.count ?? 0 <= maximumSize {
            // The credentials of another tool's file are in no file of Ombi.
            guard file.collection?.overlay.isForeign != true, let secrets = file.plainSecrets,
                let first = secrets.found.first
            else { continue }
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            let more = secrets.found.count > 1 ? " and \(secrets.found.count - 1) more" : ""
            return Notice(
                .warning,
                "\(name), line \(first.position.line): \(first.kind) in plain text\(more); "
                    + "the palette (:) moves it out")
        }
        return nil
    }

    /// Writes secrets, and says so.
    static func afterMoving(_ secrets: [PlainSecret], outOf path: String) -> Notice {
        let name = PlainSecrets.localFile(of: path) ?? path
        do throws(FileError) {
            try PlainSecrets.keep(secrets, beside: path)
            MovedSecrets.grant(secrets, in: path)
            return Notice(
                .success,
                "Moved \(Count.of(secrets.count, "secret")) to \(name); w saves the templates, u takes them back")
        } catch {
            return Notice(.failure, "Not moved: \(error); u brings the text back")
        }
    }
}
