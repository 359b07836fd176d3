// swift-tools-version: 6.2
import PackageDescription

/// The settings for every target.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Fixtures",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The package has a path and a name, so that it builds in a clone with any folder name.
        .package(name: "RecordStack", path: "../..")
    ],
    targets: [
        // The logic of an app: a lending library's.
        .target(
            name: "Library",
            dependencies: [.product(name: "RecordStack", package: "RecordStack")],
            swiftSettings: settings),
        .testTarget(
            name: "LibraryTests",
            dependencies: [
                "Library",
                .product(name: "RecordStack", package: "RecordStack"),
                .product(name: "RecordStackTesting", package: "RecordStack"),
            ],
            exclude: ["Data"],
            swiftSettings: settings),
    ]
)
