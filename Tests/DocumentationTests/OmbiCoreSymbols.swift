/// The public declarations of OmbiCore, or of another library, read from its sources.
enum OmbiCoreSymbols {
    static func declarations(of target: String = "OmbiCore") throws -> [Declaration] {
        try Repository.files(below: "Sources/\(target)", ending: ".swift").flatMap(Declaration.all)
    }
}
