import OmbiDocument
import OmbiViewer
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A copy of a body in a private folder, for another program. It is deleted with this value.
final class BodyCopy: Sendable {
    let path: String
    let program: BodyProgram
    private let folder: String
    private let written: Stamp?

    private init(path: String, program: BodyProgram, folder: String) {
        self.path = path
        self.program = program
        self.folder = folder
        written = Stamp(path)
    }

    deinit { ExternalEditor.removeFolder(folder) }

    /// True after another program wrote to the copy.
    var wasChanged: Bool { Stamp(path) != written }

    /// The attributes that change when a file is written.
    private struct Stamp: Equatable {
        let number: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (number, size) = (UInt64(status.st_ino), Int64(status.st_size))
            #if canImport(Darwin)
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
            #else
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            #endif
        }
    }

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
