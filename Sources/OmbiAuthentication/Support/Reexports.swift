// `import OmbiAuthentication` is enough to send requests.
@_exported import OmbiCore

#if !Authentication
#error("OmbiAuthentication needs the trait Authentication of its package: .package(…, traits: [\"Authentication\"])")
#endif
