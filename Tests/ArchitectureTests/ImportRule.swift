/// One rule of the layout, as a row of a table: which module may be imported where.
struct ImportRule: Sendable, CustomStringConvertible {
    /// The modules that the rule is about.
    let modules: [String]
    /// Where they are forbidden: beginnings of paths below the root of the repository.
    let forbidden: [String]
    /// The exceptions: beginnings of paths.
    var allowed: [String] = []
    /// Also allowed where Foundation has no smaller part: in the `#else` of `#if canImport(FoundationEssentials)`.
    var allowsFallback = false
    let why: String

    var description: String { why }

    func violations(in file: SourceFile) -> [String] {
        guard forbidden.contains(where: file.path.hasPrefix) && !allowed.contains(where: file.path.hasPrefix) else {
            return []
        }
        return file.imports.filter { modules.contains($0.module) && !(allowsFallback && $0.isFallback) }
            .map { "\(file.path):\($0.line): imports \($0.module): \(why)" }
    }
}

extension ImportRule {
    private static let libraries = [
        "OmbiBase", "OmbiCore", "OmbiAuthentication", "OmbiDocument", "OmbiProcess", "OmbiWorkspace", "OmbiTerminal",
        "OmbiViewer", "OmbiTUI",
    ].map { "Sources/\($0)/" }
    private static let pure = [
        "OmbiTerminal/Drawing", "OmbiTerminal/Input", "OmbiTerminal/Widgets", "OmbiViewer/Body", "OmbiViewer/Rows",
        "OmbiViewer/Viewer", "OmbiTUI/App", "OmbiTUI/Input", "OmbiTUI/Model", "OmbiTUI/Panes", "OmbiTUI/Overlays",
        "OmbiTUI/Manuals",
    ].map { "Sources/\($0)/" }

    static let all: [ImportRule] = [
        ImportRule(
            modules: ["CCurl"], forbidden: ["Sources/"],
            allowed: ["Sources/OmbiCore/Transport/Curl/", "Sources/OmbiCore/Transport/Coding/"],
            why: "only OmbiCore/Transport/Curl knows libcurl, and Coding the libraries that it loads"),
        ImportRule(
            modules: ["CNcurses"], forbidden: ["Sources/"], allowed: ["Sources/OmbiTerminal/Terminal/"],
            why: "only OmbiTerminal/Terminal knows ncurses"),
        ImportRule(
            modules: ["OmbiProcess"], forbidden: ["Sources/"],
            allowed: [
                "Sources/OmbiWorkspace/Variables/", "Sources/OmbiWorkspace/Tunnel/", "Sources/OmbiViewer/Jobs/",
                "Sources/OmbiTUI/Effects/",
                "Sources/OmbiTUI/CommandLine/",
            ], why: "programs are run at the edge"),
        ImportRule(
            modules: [
                "OmbiCore", "OmbiAuthentication", "OmbiDocument", "OmbiWorkspace", "OmbiTerminal", "OmbiViewer",
                "OmbiTUI",
            ], forbidden: ["Sources/OmbiBase/", "Sources/OmbiProcess/"],
            why:
                "OmbiBase is the ground of all targets and OmbiProcess runs any program: neither knows anything of Ombi"
        ),
        ImportRule(
            modules: ["CImages"], forbidden: ["Sources/"], allowed: ["Sources/OmbiDocument/Picture/"],
            why: "only OmbiDocument/Picture knows libpng and libturbojpeg"),
        ImportRule(
            modules: ["Crypto"], forbidden: ["Sources/"], allowed: ["Sources/OmbiAuthentication/Support/"],
            why: "only OmbiAuthentication/Support hashes: BoringSSL costs build time and 3 MB"),
        ImportRule(
            modules: ["CYAML"], forbidden: ["Sources/"], allowed: ["Sources/OmbiWorkspace/Import/YAML/"],
            why: "only OmbiWorkspace/Import/YAML knows libyaml: YAML is JSON for all others"),
        ImportRule(
            modules: ["OmbiAuthentication"], forbidden: ["Sources/"], allowed: ["Sources/OmbiWorkspace/"],
            why: "OmbiWorkspace hashes and signs for the program; OmbiCore stands by itself"),
        ImportRule(
            modules: ["FlyingFox", "FlyingSocks"], forbidden: ["Sources/"], allowed: ["Sources/DemoAPI/"],
            why: "only DemoAPI is a server"),
        ImportRule(
            modules: ["ArgumentParser"], forbidden: ["Sources/"],
            allowed: ["Sources/OmbiTUI/CommandLine/", "Sources/OmbiTUI/main.swift"],
            why: "only OmbiTUI/CommandLine reads the command line"),
        ImportRule(
            modules: ["DemoAPI"], forbidden: ["Sources/"], allowed: ["Sources/DemoServer/"],
            why: "the demo API runs in a program of its own, which keeps Foundation out of ombi"),
        ImportRule(
            modules: ["OmbiWorkspace", "OmbiTUI"],
            forbidden: ["Sources/OmbiCore/", "Sources/OmbiURLSession/", "Sources/OmbiAuthentication/"],
            why: "OmbiCore and what belongs to it stand by themselves"),
        ImportRule(
            modules: ["OmbiCore", "OmbiWorkspace", "OmbiTUI"], forbidden: ["Sources/OmbiDocument/"],
            why: "OmbiDocument knows bytes only, and neither where they come from nor where they are shown"),
        ImportRule(
            modules: ["OmbiCore", "OmbiWorkspace", "OmbiViewer", "OmbiTUI"], forbidden: ["Sources/OmbiTerminal/"],
            why: "OmbiTerminal is of use to any terminal program: it knows neither requests nor panes"),
        ImportRule(
            modules: ["OmbiWorkspace", "OmbiTUI"], forbidden: ["Sources/OmbiViewer/"],
            why: "OmbiViewer knows bodies only, and neither requests nor panes"),
        ImportRule(
            modules: ["OmbiCore"], forbidden: ["Sources/OmbiViewer/"],
            allowed: [
                "Sources/OmbiViewer/Body/BodyDocument.swift",
                "Sources/OmbiViewer/Rows/EventRows.swift", "Sources/OmbiViewer/Jobs/", "Sources/OmbiViewer/Input/",
            ],
            why:
                "OmbiViewer uses OmbiCore's locks, and the store in which a body arrives with its times, and nothing else of it"
        ),
        ImportRule(
            modules: ["OmbiTerminal", "OmbiViewer", "OmbiTUI"],
            forbidden: [
                "Sources/OmbiCore/", "Sources/OmbiURLSession/", "Sources/OmbiAuthentication/", "Sources/OmbiDocument/",
            ], why: "what a program is made of knows no terminal"),
        ImportRule(
            modules: ["OmbiTerminal", "OmbiViewer", "OmbiTUI"], forbidden: ["Sources/OmbiWorkspace/"],
            why: "OmbiWorkspace knows nothing of what is seen"),
        ImportRule(
            modules: ["OmbiCore", "OmbiWorkspace", "OmbiTUI"], forbidden: ["Sources/DemoAPI/", "Sources/DemoServer/"],
            why: "the demo API is the other side, and shares no code with the client"),
        ImportRule(
            modules: ["FoundationNetworking"], forbidden: ["Sources/"], allowed: ["Sources/OmbiURLSession/"],
            why: "FoundationNetworking costs 12 ms of start-up and 45 MB"),
        ImportRule(
            modules: ["OmbiURLSession"], forbidden: ["Sources/"],
            why: "what imports it links FoundationNetworking"),
        ImportRule(
            modules: ["Foundation"], forbidden: libraries,
            allowed: ["Sources/OmbiCore/Publishing/OperationQueue+Scheduler.swift"], allowsFallback: true,
            why: "use FoundationEssentials: Foundation costs start-up time and size"),
        ImportRule(
            modules: ["Glibc", "Musl", "Darwin"], forbidden: ["Sources/"],
            allowed: ["Sources/OmbiPlatform/", "Sources/DemoAPI/", "Sources/DemoServer/"],
            why: "OmbiPlatform brings the C library of each system"),
        ImportRule(
            modules: ["OmbiPlatform", "Dispatch"], forbidden: pure,
            why: "state and drawing are pure; what is done in the world stands in Effects"),
    ]
}
