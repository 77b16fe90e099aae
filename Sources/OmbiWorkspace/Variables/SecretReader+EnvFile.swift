import OmbiDocument

extension SecretReader {
    /// Returns the readers of a process whose environment also has the variables of a `.env` file. Those that are set already
    /// win. Throws for an error in it, with its position.
    public static func system(
        withEnvFile content: [UInt8], named path: String
    ) throws(Problem) -> @Sendable (_ folder: String) -> SecretReader {
        let file: EnvFile
        do throws(EnvFile.Failure) { file = try EnvFile(content) } catch {
            throw Problem(
                file: path, position: TextPosition(line: error.line, column: error.column), message: error.message)
        }
        return { folder in
            var reader = system(folder: folder)
            let process = reader.environment
            reader.environment = { process($0) ?? file.value(of: $0) }
            return reader
        }
    }
}
