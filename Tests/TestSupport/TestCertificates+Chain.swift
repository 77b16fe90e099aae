// A second authority, what it has signed, and what nobody has. Made out to 127.0.0.1, ::1, localhost and *.ombi.test, valid
// from 2026 to 2126 unless their names say otherwise. The authority's own key is nowhere.
extension TestCertificates {
    /// "CN = Ombi test root, O = Ombi"
    public static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBlzCCATygAwIBAgIUCEdaWE2P0flW9qomhOse636H1kowCgYIKoZIzj0EAwIw
        KDENMAsGA1UECgwET21iaTEXMBUGA1UEAwwOT21iaSB0ZXN0IHJvb3QwIBcNMjYx
        MTIxMjMwMTU0WhgPMjEyNjEwMjgyMzAxNTRaMCgxDTALBgNVBAoMBE9tYmkxFzAV
        BgNVBAMMDk9tYmkgdGVzdCByb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        rqJg1tuR/YJ45utVbbspo/Ap4KEm85ZDFv3Rt2Lwo+fvGyu7Flv5O6MBwug8R1Md
        OVbnSOFJo2YInFj08JDM4aNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
        BAMCAQYwHQYDVR0OBBYEFGHBB9M7GYf+nQPda7FW3r6+wLYdMAoGCCqGSM49BAMC
        A0kAMEYCIQDn+SUQ0KGYe5InBRJ4SoSF3Oh9auCyVREwDArMFN0vyQIhAIIBNz9A
        yXG22UwCIrXTZDL8a/jKWIkc5ChjGeGhMHDX
        -----END CERTIFICATE-----
        """

    /// A server's certificate with that of the authority between it and the root.
    public static let chain = """
        -----BEGIN CERTIFICATE-----
        MIIB+zCCAaCgAwIBAgIBAjAKBggqhkjOPQQDAjAwMR8wHQYDVQQDDBZPbWJpIHRl
        c3QgaW50ZXJtZWRpYXRlMQ0wCwYDVQQKDARPbWJpMCAXDTI2MDEwMTAwMDAwMFoY
        DzIxMjYwMTAxMDAwMDAwWjAtMRwwGgYDVQQDDBNPbWJpIGNoYWluZWQgc2VydmVy
        MQ0wCwYDVQQKDARPbWJpMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErvYf3TMY
        iRF7x6kcNyhAJFCAgY0YdWtFtsgmnu97dvWlFxRLuazNq0/iAT4RSF12S38iaZB6
        /9qg0377BvzvP6OBqzCBqDAJBgNVHRMEAjAAMAsGA1UdDwQEAwIFoDATBgNVHSUE
        DDAKBggrBgEFBQcDATA5BgNVHREEMjAwhwR/AAABhxAAAAAAAAAAAAAAAAAAAAAB
        gglsb2NhbGhvc3SCCyoub21iaS50ZXN0MB0GA1UdDgQWBBS73RSjCFXwvMfzX6h8
        w+48693OFTAfBgNVHSMEGDAWgBQwbfi3MiN+IuafZKCHn1b8gzNSsTAKBggqhkjO
        PQQDAgNJADBGAiEA3igZyQZvjAdKtRRDLLC8ZeGFKeI1mnoRvQnhLfKSeEwCIQCH
        zrxHX8aOCVDMMKHABcaXhfb+yG6Jrj4OyfXiqwtJLA==
        -----END CERTIFICATE-----
        -----BEGIN CERTIFICATE-----
        MIIBrDCCAVKgAwIBAgIBATAKBggqhkjOPQQDAjAoMQ0wCwYDVQQKDARPbWJpMRcw
        FQYDVQQDDA5PbWJpIHRlc3Qgcm9vdDAgFw0yNjAxMDEwMDAwMDBaGA8yMTI2MDEw
        MTAwMDAwMFowMDEfMB0GA1UEAwwWT21iaSB0ZXN0IGludGVybWVkaWF0ZTENMAsG
        A1UECgwET21iaTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABE7aKtqlD/hVc/0k
        yKaZ4CdKLVaWiTiP+pY3RkKPMhjVtuU1eOEyQ8vdUFmOQpTKXPkIZQ3RdWPSJLBg
        cxfxrNCjYzBhMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1Ud
        DgQWBBQwbfi3MiN+IuafZKCHn1b8gzNSsTAfBgNVHSMEGDAWgBRhwQfTOxmH/p0D
        3WuxVt6+vsC2HTAKBggqhkjOPQQDAgNIADBFAiEArnbVgwyXOx/vLTaSAqdFl9pr
        g/X7q8L3S+DVR/mk0pACICdBkz383mMLTwsLZpw25JPDAuztB4Gcp+nEV/ko9IXf
        -----END CERTIFICATE-----
        """

    /// Of the server.
    public static let chainKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMAsDh1yqpH3PevGBsuVdgt2vf/l5VXcjLUXTJO7ZqbHoAoGCCqGSM49
        AwEHoUQDQgAErvYf3TMYiRF7x6kcNyhAJFCAgY0YdWtFtsgmnu97dvWlFxRLuazN
        q0/iAT4RSF12S38iaZB6/9qg0377BvzvPw==
        -----END EC PRIVATE KEY-----
        """

    /// From 2001 to 2002.
    public static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIB8DCCAZagAwIBAgIBAzAKBggqhkjOPQQDAjAoMQ0wCwYDVQQKDARPbWJpMRcw
        FQYDVQQDDA5PbWJpIHRlc3Qgcm9vdDAeFw0wMTAxMDEwMDAwMDBaFw0wMjAxMDEw
        MDAwMDBaMC0xHDAaBgNVBAMME09tYmkgZXhwaXJlZCBzZXJ2ZXIxDTALBgNVBAoM
        BE9tYmkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQWsXz0kUvss33q05hklgU3
        ikKD08G0gw9iCzx5etPCLcnPwEBUXq68kAcpda6DjmRm4KuLn+TPV7Cr6i5O/OjU
        o4GrMIGoMAkGA1UdEwQCMAAwCwYDVR0PBAQDAgWgMBMGA1UdJQQMMAoGCCsGAQUF
        BwMBMDkGA1UdEQQyMDCHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAGCCWxvY2FsaG9z
        dIILKi5vbWJpLnRlc3QwHQYDVR0OBBYEFKMzaFJVRa2ZsFhQSsQQiMS10lCNMB8G
        A1UdIwQYMBaAFGHBB9M7GYf+nQPda7FW3r6+wLYdMAoGCCqGSM49BAMCA0gAMEUC
        IHSbFY90H83nmZP3HawFMFIdilEMRc45nWxbNH1uaypAAiEA2s5dHs3pJE33bhyr
        onKC8enhDwH3s2j6kGl75RdpBRM=
        -----END CERTIFICATE-----
        """

    /// Of the expired one.
    public static let expiredKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFrFUqckqGtURVmnXYZR8IAwqskOyW5ciXv0RQ6EqGFXoAoGCCqGSM49
        AwEHoUQDQgAEFrF89JFL7LN96tOYZJYFN4pCg9PBtIMPYgs8eXrTwi3Jz8BAVF6u
        vJAHKXWug45kZuCri5/kz1ewq+ouTvzo1A==
        -----END EC PRIVATE KEY-----
        """

    /// From 2120 on.
    public static let future = """
        -----BEGIN CERTIFICATE-----
        MIIB8jCCAZmgAwIBAgIBBDAKBggqhkjOPQQDAjAoMQ0wCwYDVQQKDARPbWJpMRcw
        FQYDVQQDDA5PbWJpIHRlc3Qgcm9vdDAiGA8yMTIwMDEwMTAwMDAwMFoYDzIxMjYw
        MTAxMDAwMDAwWjAsMRswGQYDVQQDDBJPbWJpIGZ1dHVyZSBzZXJ2ZXIxDTALBgNV
        BAoMBE9tYmkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASINJL2DnRR6TOtcVyq
        c6W5WzA7TX5Jb7+1vPNubizAS69+q65WIWGFvR7CA2e75Nby+UV+E10CKNqyYyNh
        fZS/o4GrMIGoMAkGA1UdEwQCMAAwCwYDVR0PBAQDAgWgMBMGA1UdJQQMMAoGCCsG
        AQUFBwMBMDkGA1UdEQQyMDCHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAGCCWxvY2Fs
        aG9zdIILKi5vbWJpLnRlc3QwHQYDVR0OBBYEFKJHd5L//+1ZDujWRXHG4yq4HGY3
        MB8GA1UdIwQYMBaAFGHBB9M7GYf+nQPda7FW3r6+wLYdMAoGCCqGSM49BAMCA0cA
        MEQCIH+13OGNHYJL4v6oJXZfRfJnvXcjllwlWHKkQC3Uc+p+AiBG93YMK1+gY87E
        wmHAsMtHXauUtjZJ63DlVAg6/TMufA==
        -----END CERTIFICATE-----
        """

    /// Of the one that is not valid yet.
    public static let futureKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEICfxSmSAJrltfA5kGgZMQdr/EVy25tX8cFbwF4qiAiRboAoGCCqGSM49
        AwEHoUQDQgAEiDSS9g50UekzrXFcqnOluVswO01+SW+/tbzzbm4swEuvfquuViFh
        hb0ewgNnu+TW8vlFfhNdAijasmMjYX2Uvw==
        -----END EC PRIVATE KEY-----
        """

    /// Signed by itself.
    public static let selfSigned = """
        -----BEGIN CERTIFICATE-----
        MIIB0zCCAXmgAwIBAgIUPioMk+Nq1bZqvhcDzN5Aie2Gb4YwCgYIKoZIzj0EAwIw
        IjEgMB4GA1UEAwwXT21iaSBzZWxmLXNpZ25lZCBzZXJ2ZXIwIBcNMjYxMTIxMjMw
        MTU0WhgPMjEyNjEwMjgyMzAxNTRaMCIxIDAeBgNVBAMMF09tYmkgc2VsZi1zaWdu
        ZWQgc2VydmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8VUsusavmOdWMtBt
        7RvE2i1pRarc3kH70IccqkdagqKGtMj8cxXz/DFngMKb39+G9LAVHQZiVSxAjLkU
        39SfXKOBijCBhzAJBgNVHRMEAjAAMAsGA1UdDwQEAwIFoDATBgNVHSUEDDAKBggr
        BgEFBQcDATA5BgNVHREEMjAwhwR/AAABhxAAAAAAAAAAAAAAAAAAAAABgglsb2Nh
        bGhvc3SCCyoub21iaS50ZXN0MB0GA1UdDgQWBBQHqkyYAGrW0mNA95iM4ov86UBV
        IDAKBggqhkjOPQQDAgNIADBFAiEAk5yo0iEYSRA0mtIPQ+AqPbTn6CcuganSbWs7
        h7Gclm0CICxuNJux5bWe8JQflyRhaEZ7XgIl8OOcQXkHdR58xeRK
        -----END CERTIFICATE-----
        """

    /// Of that one.
    public static let selfSignedKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIP3cTSBHmSrfY2HaI1uSp5qyZm20gk+38RWWKlEAs6OaoAoGCCqGSM49
        AwEHoUQDQgAE8VUsusavmOdWMtBt7RvE2i1pRarc3kH70IccqkdagqKGtMj8cxXz
        /DFngMKb39+G9LAVHQZiVSxAjLkU39SfXA==
        -----END EC PRIVATE KEY-----
        """

    /// A client's: "CN = Ombi test client, O = Ombi".
    public static let client = """
        -----BEGIN CERTIFICATE-----
        MIIBsjCCAVigAwIBAgIBBTAKBggqhkjOPQQDAjAoMQ0wCwYDVQQKDARPbWJpMRcw
        FQYDVQQDDA5PbWJpIHRlc3Qgcm9vdDAgFw0yNjAxMDEwMDAwMDBaGA8yMTI2MDEw
        MTAwMDAwMFowKjEZMBcGA1UEAwwQT21iaSB0ZXN0IGNsaWVudDENMAsGA1UECgwE
        T21iaTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGeFesyPF8dw7w9BhPtQagdv
        mFSfJdmRHcK+P4yK1mZIw6OQV+DrUsD0h/5XSpqvDStkuCC7CKYAr7KPXwkZCzOj
        bzBtMAkGA1UdEwQCMAAwCwYDVR0PBAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMC
        MB0GA1UdDgQWBBQlzmwYeg928tSjF2QzKjF5EUOqrTAfBgNVHSMEGDAWgBRhwQfT
        OxmH/p0D3WuxVt6+vsC2HTAKBggqhkjOPQQDAgNIADBFAiBZFRTPWPu8wC7lqIKF
        6i5t0dqHqnm5fa0Y/Il/oHIcNAIhAN+y0JhiJJSsm6wFgwKPmfJ2eA6Oyrv27zvD
        DIRZ1ci4
        -----END CERTIFICATE-----
        """

    /// Of the client.
    public static let clientKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEICgeTv5/SF3GOIGQ1JdEosL2bKjjQZYe6/xIGJGHPvT+oAoGCCqGSM49
        AwEHoUQDQgAEZ4V6zI8Xx3DvD0GE+1BqB2+YVJ8l2ZEdwr4/jIrWZkjDo5BX4OtS
        wPSH/ldKmq8NK2S4ILsIpgCvso9fCRkLMw==
        -----END EC PRIVATE KEY-----
        """

    /// The same, with the password "secret".
    public static let encryptedClientKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhxpaceHZ/1mgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDXcAu7saXWunlPojYel7R4EgZCe
        XWJDIhczwrwzHtAT3wjWCrr7Z7h0Pm414pn8THRPsu6FZhHm7y+vXGILkjY5g1iH
        kFLKjyIvlcsmynYXHb8dlG8HPpLoxGi9QLAbFK2olaljHWWvPwe7EFOnjXb6O8st
        qkWkSDI0J1ZJ/yWJpf5N57dq21KvqTV8qjN3je3ptfqARURsd3OH7uCQ6edNfBQ=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// The client's certificate and key in PKCS#12, in Base64, with the password "secret".
    public static let clientPKCS12 = """
        MIIEPAIBAzCCA/IGCSqGSIb3DQEHAaCCA+MEggPfMIID2zCCApIGCSqGSIb3DQEHBqCCAoMwggJ/
        AgEAMIICeAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgd6MbAnN4s
        5AICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEE4pGFloVB2bwkqDr9pobE+AggIQzAzm
        aH0ONZ6AxRZLnVHn/xgmNs7y3ydt3cy9QROaWb1aTBWGsccZd/cY48chAjrPkDuHnfI1Z5F4IkK2
        oVUoRmDU5bthr+j64SGSp0vWsQ9ibbffNoiC5ggq9EstbglVvTADd7QNH8HKHUSLyqqwIqM6z+P7
        HyDocxM88Sndc+u3p/DIJVK1ntjMP9WvATFCM7hliksEhkjlNdEXbUGozIXJJgx4J0gTgbAs4nBr
        2f/28ioi3xeik+0v6GfXtmEHy1ItjJR0oxVO9Iwaq2CiAcrYAKcMO//jBandsLsU7PraXe4uFiGv
        AadDNbIqZSBUcpxGobbLM9Gwi9CqwfEv/yXFO121PpqbQBaRQ2x4sd/n3LTBpmI9elagc7RCPVe1
        0RxTv+PCE4wCqwIcN7VGvNPdms4lg+Qu2/GMvMjNxPl4z9EL7enxNaBDnWqxS/A38NJpO/FI58Gq
        VDQD1hO07t2n9nuAoV6qB+xfuC7AZEAxvmuShNCaM8L1EUZknNMLGx2P+P0hDiIbP8F/5p2Z1jNh
        F0OLsFQVKVHI6yXXGSO5gJ27a7owJldivDXxFPEUD7h9KfuhSfGf3b85UZIAgmS2EkuZY2ME4P9A
        OoawvK+/1OKnICGUFR93yjfgdkvCvzc6q44YTqpAgRqjQxtnQ2bvctCSXaRe8BB7vK6nhMeiIvNF
        6t25L++RIfHVy+zeMIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKg
        ge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECL0lOFWammLQAgIIADAMBggqhkiG
        9w0CCQUAMB0GCWCGSAFlAwQBKgQQulMjPbYXnTq/4KzkU0D2JgSBkJWdqTKDwe/axeOaAo7wIXe0
        gUvRutLPhRZ8RCzelKoblzMFTyf2oYpe4tfgquyzOBoYOf3z7B1FpB0rCthTRJ6cTuM2xeIajeB3
        REEpbufp5FcxoYPWf9efs6bkhlcE8XZqgyVlqFt/LKJAq6GsvRpoPUThgl9iws9RhHevvk+6HQdK
        BlRzhaHvX3OCFXPPIjElMCMGCSqGSIb3DQEJFTEWBBTAcDZbzDN7+9txfQM/vYJ74nUyKjBBMDEw
        DQYJYIZIAWUDBAIBBQAEIEZcXbZRp7V9s7k8YmQyXhiYZrMCTdmuQXkk52cJx5YUBAgRq/1Pr0hi
        pQICCAA=
        """
}
