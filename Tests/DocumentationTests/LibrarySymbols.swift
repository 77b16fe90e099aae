/// The public declarations of the libraries, read from their sources.
enum LibrarySymbols {
    static let modules = catalogues + ["OmbiURLSession"]
    /// Those that have articles.
    static let catalogues = ["OmbiCore", "OmbiAuthentication"]

    static func declarations(of module: String) throws -> [Declaration] {
        try Repository.files(below: "Sources/\(module)", ending: ".swift").flatMap(Declaration.all)
    }
}
