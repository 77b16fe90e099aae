// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without traits: nothing of Foundation but FoundationEssentials.
        .package(name: "ombi", path: "..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "orders", dependencies: [.product(name: "OmbiCore", package: "ombi")], path: "Orders")
    ]
)
