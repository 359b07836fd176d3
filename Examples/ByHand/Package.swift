// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ByHand",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The package has a path and a name, so that it builds in a clone with any folder name.
        // Without traits there are no macros, and swift-syntax is neither resolved nor built.
        .package(name: "RecordStack", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "ByHand",
            dependencies: [.product(name: "RecordStack", package: "RecordStack")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
