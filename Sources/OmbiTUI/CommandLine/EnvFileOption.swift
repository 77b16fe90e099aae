import OmbiWorkspace

/// The option `--env-file` of the commands that send requests.
enum EnvFileOption {
    /// Returns the secrets of the system with those of a file; reports a file that cannot be read.
    static func secrets(_ path: String) throws -> Session.Secrets {
        let content = try InputFile.content(path)
        do throws(Problem) { return try SecretReader.system(withEnvFile: content, named: path) } catch {
            StandardError.print(SafeText.line(error.description))
            throw ExitStatus.misuse
        }
    }
}
