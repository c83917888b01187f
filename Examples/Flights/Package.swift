// swift-tools-version: 6.2
// A package of its own, so that an app that depends on Trove does not fetch the dependencies of the demo.
import PackageDescription

let package = Package(
    name: "Flights",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "flights", targets: ["FlightsExample"])],
    dependencies: [
        .package(name: "Trove", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "FlightsExample",
            dependencies: [
                .product(name: "Trove", package: "Trove"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            resources: [.copy("Data")]),
        .testTarget(
            name: "FlightsExampleTests",
            dependencies: ["FlightsExample", .product(name: "Trove", package: "Trove")]),
    ]
)
