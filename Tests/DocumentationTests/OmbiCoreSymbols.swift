/// The public declarations of OmbiCore, read from its sources.
enum OmbiCoreSymbols {
    static func declarations() throws -> [Declaration] {
        try Repository.files(below: "Sources/OmbiCore", ending: ".swift").flatMap(Declaration.all)
    }
}
