// swift-tools-version: 6.1
import PackageDescription

let openCombine: [Target.Dependency] = ["OpenCombine", "OpenCombineDispatch"].map {
    .product(name: $0, package: "OpenCombine", condition: .when(platforms: [.linux]))
}

let package = Package(
    name: "ombi",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "OmbiCore", targets: ["OmbiCore"]),
        .library(name: "OmbiDocument", targets: ["OmbiDocument"]),
        .library(name: "OmbiWorkspace", targets: ["OmbiWorkspace"]),
        .executable(name: "ombi", targets: ["OmbiTUI"]),
        .executable(name: "ombi-demo-server", targets: ["DemoServer"]),
    ],
    traits: [
        .trait(
            name: "FoundationSchedulers",
            description:
                "Makes OperationQueue a scheduler; links all of Foundation, which costs start-up time and size."),
        .default(enabledTraits: ["FoundationSchedulers"]),
    ],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.26.0"),
    ],
    targets: [
        .systemLibrary(name: "CNcurses"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CImages"),
        .target(
            name: "OmbiCore",
            dependencies: ["CCurl", .product(name: "Logging", package: "swift-log")] + openCombine
        ),
        // On macOS iconv is a library of its own.
        .target(
            name: "OmbiDocument", dependencies: ["CImages"],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        .target(name: "OmbiWorkspace", dependencies: ["OmbiCore"]),
        .executableTarget(
            name: "OmbiTUI",
            dependencies: [
                "CNcurses", "OmbiCore", "OmbiDocument", "OmbiWorkspace",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "DemoAPI",
            dependencies: ["FlyingFox", "FlyingSocks"].map { .product(name: $0, package: "FlyingFox") }),
        .executableTarget(name: "DemoServer", dependencies: ["DemoAPI"]),

        .executableTarget(name: "CoreBenchmark", dependencies: ["OmbiCore"], path: "bench/CoreBenchmark"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(
            name: "OmbiCoreTests", dependencies: ["OmbiCore", "DemoAPI", "TestSupport"], exclude: ["Peers"]),
        .testTarget(name: "OmbiDocumentTests", dependencies: ["OmbiDocument", "TestSupport"]),
        .testTarget(name: "OmbiWorkspaceTests", dependencies: ["OmbiWorkspace", "TestSupport"]),
        .testTarget(name: "OmbiTUITests", dependencies: ["OmbiTUI", "TestSupport"]),
        .testTarget(name: "DemoAPITests", dependencies: ["DemoAPI", "OmbiCore"]),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "DocumentationTests", dependencies: ["OmbiCore"]),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport", "OmbiTUI", "DemoServer"]),
    ]
)
