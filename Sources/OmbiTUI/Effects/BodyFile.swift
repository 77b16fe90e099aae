import OmbiPlatform

/// Writes bodies to files in one step: no part of one is left under its name.
enum BodyFile {
    /// Saves a body, and returns a notice of the outcome.
    /// - Parameter tell: called with the progress, ten times a second or at `interval`.
    /// - Throws: a `FileError`, with the code `isThere` when the file exists and may not be overwritten.
    static func save(
        _ document: BodyDocument, _ form: BodyForm, to typed: String, overwriting: Bool = false,
        _ flag: CancelFlag = CancelFlag(), every interval: Duration = .milliseconds(100),
        tell: (SaveProgress) -> Void = { _ in }
    ) throws(FileError) -> Notice {
        let path = expanded(typed)
        do throws(FileError) {
            let writer = BodyWriter(document, form)
            let count = try write(writer, to: path, overwriting: overwriting, flag, every: interval, tell: tell)
            return Notice(.success, "Saved \(TimeText.size(count)) to \(path)")
        } catch  where error.code == FileError.cancelled {
            return Notice(.info, "Not saved: cancelled")
        }
    }

    /// - Returns: the number of bytes written.
    /// - Throws: a `FileError` with the code `cancelled` when it was cancelled.
    @discardableResult
    static func write(
        _ writer: BodyWriter, to path: String, overwriting: Bool = true, _ flag: CancelFlag,
        every interval: Duration = .milliseconds(100), tell: (SaveProgress) -> Void = { _ in }
    ) throws(FileError) -> Int {
        var writer = writer
        var told = ContinuousClock.now
        try FileReplacement.save(to: path, overwriting: overwriting) { () throws(FileError) in
            guard !flag.isCancelled else { throw FileError(operation: "write", path: path, code: FileError.cancelled) }
            if .now - told >= interval {
                told = .now
                tell(writer.progress)
            }
            return writer.next()
        }
        return writer.written
    }

    /// Returns the path with `~` replaced by the home folder.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }
}

/// A copy of a body in a private folder, for another program. It is deleted with this value.
final class BodyCopy: Sendable {
    let path: String
    let program: BodyProgram
    private let folder: String
    private let written: FileStamp?

    private init(path: String, program: BodyProgram, folder: String) {
        self.path = path
        self.program = program
        self.folder = folder
        written = FileStamp(path)
    }

    deinit { ExternalEditor.removeFolder(folder) }

    /// True after another program wrote to the copy.
    var wasChanged: Bool { FileStamp(path) != written }

    /// Writes a formatted copy: text in UTF-8, JSON laid out.
    /// - Parameter base: the folder in which the private one is created.
    static func make(
        of document: BodyDocument, for program: BodyProgram, in base: String = ExternalEditor.temporaryFolder,
        _ flag: CancelFlag, tell: (SaveProgress) -> Void
    ) -> Result<BodyCopy, ExternalEditor.Failure> {
        do {
            let (folder, path) = try ExternalEditor.makePrivateFile("body" + document.suffix, in: base)
            do {
                try BodyFile.write(BodyWriter(document, .formatted), to: path, flag, tell: tell)
            } catch {
                ExternalEditor.removeFolder(folder)
                throw error
            }
            return .success(BodyCopy(path: path, program: program, folder: folder))
        } catch let error as FileError where error.code == FileError.cancelled {
            return .failure(.init(description: "not opened: cancelled"))
        } catch {
            return .failure(.init(description: "\(error)"))
        }
    }
}

extension BodyDocument {
    /// The file extension, by which a program chooses its syntax colours.
    var suffix: String {
        if case .text(.diff?) = shape { return ".diff" }
        return switch kind {
        case .json: ".json"
        case .jsonLines: ".jsonl"
        case .xml: ".xml"
        case .html: ".html"
        case .yaml: ".yaml"
        case .markdown: ".md"
        case .table: ".csv"
        case .image, .binary: ".bin"
        default: ".txt"
        }
    }
}
