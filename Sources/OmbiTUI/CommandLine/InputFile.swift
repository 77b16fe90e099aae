import OmbiDocument
import OmbiViewer
import OmbiWorkspace

/// A file that an option names and that is read once: also a pipe, and `-` for the standard input.
enum InputFile {
    /// Returns the whole content. Reports a file that cannot be read, and throws the exit status.
    static func content(_ path: String) throws -> [UInt8] {
        do throws(FilterInputError) {
            let bytes = try ViewInput(path).all()
            return bytes.array(0..<bytes.count)
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.inputOutput
        }
    }
}
