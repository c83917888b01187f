// swift-tools-version: 6.2
// A package of its own, so that an app that depends on Trove does not fetch the dependencies of the demos.
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "flights", targets: ["FlightsExample"]),
        .executable(name: "chats", targets: ["ChatsExample"]),
        .executable(name: "live", targets: ["LiveExample"]),
    ],
    dependencies: [
        .package(name: "Trove", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .target(name: "ExampleReport", dependencies: [.product(name: "Trove", package: "Trove")]),
        .executableTarget(
            name: "FlightsExample",
            dependencies: [
                "ExampleReport",
                .product(name: "Trove", package: "Trove"),
                .product(name: "TroveSQL", package: "Trove"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            resources: [.copy("Data")]),
        .executableTarget(
            name: "ChatsExample",
            dependencies: [
                "ExampleReport",
                .product(name: "Trove", package: "Trove"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.copy("Data")]),
        .executableTarget(name: "LiveExample", dependencies: [.product(name: "Trove", package: "Trove")]),
        .target(name: "ExampleTestSupport", dependencies: ["ExampleReport"], path: "Tests/ExampleTestSupport"),
        .testTarget(
            name: "FlightsExampleTests",
            dependencies: [
                "FlightsExample", "ExampleReport", "ExampleTestSupport", .product(name: "Trove", package: "Trove"),
            ]),
        .testTarget(
            name: "ChatsExampleTests",
            dependencies: [
                "ChatsExample", "ExampleReport", "ExampleTestSupport", .product(name: "Trove", package: "Trove"),
            ]),
        // It runs the demo as a process.
        .testTarget(name: "LiveExampleTests", dependencies: ["LiveExample"]),
    ]
)
