import OmbiDocument
import OmbiWorkspace

/// A body in a private folder, which another program looks at. It goes away with this value.
final class BodyCopy: Sendable {
    let path: String
    let program: BodyProgram
    private let folder: String

    private init(path: String, program: BodyProgram, folder: String) {
        self.path = path
        self.program = program
        self.folder = folder
    }

    deinit { ExternalEditor.removeFolder(folder) }

    /// Writes it formatted: text in UTF-8, JSON laid out.
    static func make(
        of document: BodyDocument, for program: BodyProgram, _ flag: CancelFlag, tell: (SaveProgress) -> Void
    ) -> Result<BodyCopy, ExternalEditor.Failure> {
        do {
            let folder = try ExternalEditor.makePrivateFolder()
            let copy = BodyCopy(path: folder + "/body" + document.suffix, program: program, folder: folder)
            try BodyFile.write(BodyWriter(document, .formatted), to: copy.path, flag, tell: tell)
            return .success(copy)
        } catch let error as FileError where error.code == FileError.cancelled {
            return .failure(.init(description: "not opened: cancelled"))
        } catch {
            return .failure(.init(description: "\(error)"))
        }
    }
}

extension BodyDocument {
    /// Lets the program pick its colours.
    fileprivate var suffix: String {
        if case .text(.diff?) = shape { return ".diff" }
        return switch kind {
        case .json: ".json"
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
