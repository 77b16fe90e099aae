import OmbiWorkspace

/// The location of a user's settings, and their reading.
enum ConfigurationFile {
    /// `$XDG_CONFIG_HOME/ombi/config.json`, by default in `~/.config`; nil without a home folder.
    static func path(environment: (String) -> String?) -> String? {
        func folder(_ variable: String) -> String? { environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }
        return home.map { $0 + "/ombi/config.json" }
    }

    /// Reads the settings; the defaults where there are none.
    static func load(
        environment: (String) -> String?, fileSystem: some FileSystem = PosixFileSystem()
    ) -> Configuration {
        guard let path = path(environment: environment) else { return Configuration() }
        do throws(FileError) {
            return read(try fileSystem.read(path), path: path, fileSystem)
        } catch {
            guard !error.isAbsence else { return Configuration() }
            return Configuration(
                history: .unreadable, problems: [Problem(file: path, message: "cannot be read: \(error.reason)")])
        }
    }

    /// - Parameter path: that of the file, for messages and for the themes beside it.
    static func read(_ bytes: [UInt8], path: String, _ fileSystem: some FileSystem) -> Configuration {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let (read, problems) = ObjectFile.read(bytes, file: path) { object in
            Configuration(reading: object) { name in
                let path = "\(folder)themes/\(name).json"
                guard !name.contains("/"), let bytes = try? fileSystem.read(path) else { return nil }
                return ThemeFile(bytes, file: path)
            }
        }
        var configuration = read ?? Configuration(history: .unreadable)
        configuration.problems = problems + configuration.problems
        return configuration
    }

    /// Every problem of a file, if it is the settings or one of the themes beside them; nil for any other.
    static func check(
        _ path: String, environment: (String) -> String?, fileSystem: some FileSystem = PosixFileSystem()
    ) -> [Problem]? {
        guard let settings = self.path(environment: environment), let real = try? fileSystem.resolve(path),
            let bytes = try? fileSystem.read(path)
        else { return nil }
        if real == (try? fileSystem.resolve(settings)) { return read(bytes, path: path, fileSystem).problems }
        let themes = try? fileSystem.resolve(settings.dropLast("config.json".count) + "themes")
        return themes.map { real.hasPrefix($0 + "/") } ?? false ? ThemeFile(bytes, file: path).problems : nil
    }
}
