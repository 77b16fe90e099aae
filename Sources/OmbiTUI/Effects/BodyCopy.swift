import OmbiDocument
import OmbiViewer
import OmbiWorkspace

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
    static func make(
        of document: BodyDocument, for program: BodyProgram, _ flag: CancelFlag, tell: (SaveProgress) -> Void
    ) -> Result<BodyCopy, ExternalEditor.Failure> {
        do {
            let (folder, path) = try ExternalEditor.makePrivateFile("body" + document.suffix)
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
