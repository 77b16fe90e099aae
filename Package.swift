// swift-tools-version: 6.1
import PackageDescription

// The other systems have no libcurl: there OmbiCore is built without CurlTransport.
let curl = Target.Dependency.target(name: "CCurl", condition: .when(platforms: [.linux, .macOS]))
let openCombine: [Target.Dependency] = ["OpenCombine", "OpenCombineDispatch"].map {
    .product(name: $0, package: "OpenCombine", condition: .when(platforms: [.linux]))
}

let images = Target.Dependency.target(name: "CImages", condition: .when(traits: ["Pictures"]))

// What only the programs depend on is not resolved by packages that leave the trait out.
func program(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Program"]))
}

let package = Package(
    name: "ombi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "OmbiCore", targets: ["OmbiCore"]),
        .library(name: "OmbiURLSession", targets: ["OmbiURLSession"]),
        .library(name: "OmbiAuthentication", targets: ["OmbiAuthentication"]),
        .executable(name: "ombi", targets: ["OmbiTUI"]),
        .executable(name: "ombi-demo-server", targets: ["DemoServer"]),
    ],
    traits: [
        .trait(
            name: "FoundationSchedulers",
            description:
                "Makes OperationQueue a scheduler; links all of Foundation, which costs start-up time and size."),
        .trait(
            name: "Program",
            description: "The programs ombi and ombi-demo-server, with the packages that they alone depend on.",
            enabledTraits: ["Authentication"]),
        .trait(
            name: "LinkedCurl",
            description: "Links libcurl instead of loading it with the first request: for servers and static programs."),
        .trait(
            name: "Authentication",
            description:
                "Brings swift-crypto for OmbiAuthentication; without it nothing of it is fetched."),
        .trait(
            name: "Pictures",
            description: "Draws PNG and JPEG in the viewer with libpng and libturbojpeg, if they are installed."),
        .default(enabledTraits: ["FoundationSchedulers", "Program", "Authentication", "Pictures"]),
    ],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.26.0"),
    ],
    targets: [
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CImages"),
        .systemLibrary(name: "CYAML"),
        // The C library of each system, for all that calls it.
        .target(name: "OmbiPlatform"),
        .target(name: "OmbiBase", dependencies: ["OmbiPlatform"]),
        .target(
            name: "OmbiCore",
            dependencies: ["OmbiBase", "OmbiPlatform", curl, .product(name: "Logging", package: "swift-log")]
                + openCombine,
            linkerSettings: [.linkedLibrary("curl", .when(traits: ["LinkedCurl"]))]
        ),
        .target(name: "OmbiURLSession", dependencies: ["OmbiCore"]),
        // By itself, so that nobody builds and links BoringSSL who does not sign or hash.
        .target(
            name: "OmbiAuthentication",
            dependencies: [
                "OmbiBase", "OmbiCore", "OmbiPlatform",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Authentication"])),
            ]),
        // On macOS iconv is a library of its own.
        .target(
            name: "OmbiDocument", dependencies: ["OmbiBase", "OmbiPlatform", images],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        .target(name: "OmbiProcess", dependencies: ["OmbiPlatform"]),
        .target(
            name: "OmbiWorkspace",
            dependencies: [
                "CYAML", "OmbiAuthentication", "OmbiBase", "OmbiCore", "OmbiDocument", "OmbiPlatform", "OmbiProcess",
            ]),
        // The widths of characters and the colours of pictures are OmbiDocument's.
        .target(name: "OmbiTerminal", dependencies: ["CNcurses", "OmbiBase", "OmbiDocument", "OmbiPlatform"]),
        // A body is read where OmbiCore keeps it while it arrives.
        .target(
            name: "OmbiViewer",
            dependencies: ["OmbiBase", "OmbiCore", "OmbiDocument", "OmbiPlatform", "OmbiProcess", "OmbiTerminal"]),
        .executableTarget(
            name: "OmbiTUI",
            dependencies: [
                "OmbiBase", "OmbiCore", "OmbiDocument", "OmbiPlatform", "OmbiProcess", "OmbiTerminal", "OmbiViewer",
                "OmbiWorkspace",
                program("ArgumentParser", "swift-argument-parser"), program("Histogram", "hdrhistogram-swift"),
            ]
        ),
        .target(
            name: "DemoAPI",
            dependencies: [program("FlyingFox", "FlyingFox"), program("FlyingSocks", "FlyingFox")]),
        .executableTarget(name: "DemoServer", dependencies: ["DemoAPI"]),

        .executableTarget(name: "CoreBenchmark", dependencies: ["OmbiCore"], path: "bench/CoreBenchmark"),
        .target(name: "TestSupport", dependencies: ["OmbiCore", "OmbiDocument"], path: "Tests/TestSupport"),
        .testTarget(name: "OmbiBaseTests", dependencies: ["OmbiBase"]),
        .testTarget(
            name: "OmbiCoreTests", dependencies: ["OmbiCore", "DemoAPI", "TestSupport"], exclude: ["Peers"]),
        .testTarget(name: "OmbiURLSessionTests", dependencies: ["OmbiURLSession", "OmbiCore", "TestSupport"]),
        .testTarget(
            name: "OmbiAuthenticationTests", dependencies: ["OmbiAuthentication", "TestSupport"], exclude: ["Peers"]),
        .testTarget(name: "OmbiDocumentTests", dependencies: ["OmbiDocument", "TestSupport"]),
        .testTarget(
            name: "OmbiWorkspaceTests", dependencies: ["OmbiDocument", "OmbiWorkspace", "TestSupport"],
            exclude: ["Peers"]),
        .testTarget(name: "OmbiProcessTests", dependencies: ["OmbiProcess"]),
        .testTarget(name: "OmbiTerminalTests", dependencies: ["OmbiTerminal", "TestSupport"]),
        // The stories press the keys of the program.
        .testTarget(name: "OmbiViewerTests", dependencies: ["OmbiViewer", "OmbiTUI", "TestSupport"]),
        .testTarget(name: "OmbiTUITests", dependencies: ["OmbiTUI", "TestSupport"]),
        .testTarget(name: "DemoAPITests", dependencies: ["DemoAPI", "OmbiCore"]),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "DocumentationTests", dependencies: ["OmbiCore", "OmbiURLSession", "OmbiAuthentication"]),
        .testTarget(
            name: "EndToEndTests", dependencies: ["TestSupport", "OmbiTUI", "DemoServer"], exclude: ["Peers"]),
    ]
)
