// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let safe: [SwiftSetting] = [.strictMemorySafety()]

let package = Package(
    name: "Trove",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Trove", targets: ["Trove"]),
        .library(name: "LMDB", targets: ["LMDB"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: safe),
        .target(name: "TroveCoding", swiftSettings: safe),
        .macro(
            name: "TroveMacros",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ]),
        .target(name: "Trove", dependencies: ["LMDB", "TroveCoding", "TroveMacros"], swiftSettings: safe),
    ]
)
