// swift-tools-version: 6.1
import PackageDescription

// Without traits: nothing of Foundation but FoundationEssentials.
let core = Target.Dependency.product(name: "OmbiCore", package: "ombi")

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ombi", path: "..", traits: [])],
    targets: [
        .executableTarget(name: "orders", dependencies: [core], path: "Orders"),
        .target(name: "Hub", dependencies: [core], path: "Hub"),
        .testTarget(name: "HubTests", dependencies: ["Hub", core], path: "HubTests"),
    ]
)
