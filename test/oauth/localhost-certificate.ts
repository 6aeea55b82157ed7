// A self-signed certificate for localhost, valid for a hundred years, and its key, for https hosts
// of the tests. Only the tests trust it.

/** The key, PEM. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgo8TOoZaf6/0t3UfY
e4yhYq83zM6TQWT3U9orjgktI/GhRANCAARAEP4NUf8TdKwwp+Jfz2YaTtjJvfgA
2dPjQYbHmF5hq0t6NjX4JimqjSCElpdkR2fQetAuzRCUobXbNSeufdd2
-----END PRIVATE KEY-----`;

/** The certificate, PEM, which is its own authority. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUF4vlCq/dBB18YovCl+rG82mJBTwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEzNDg0OVoYDzIxMjYxMDI4
MTM0ODQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARAEP4NUf8TdKwwp+Jfz2YaTtjJvfgA2dPjQYbHmF5hq0t6NjX4Jimq
jSCElpdkR2fQetAuzRCUobXbNSeufdd2o2kwZzAdBgNVHQ4EFgQU0pz+allD6ZrP
hTCJHVWCCuKgM9EwHwYDVR0jBBgwFoAU0pz+allD6ZrPhTCJHVWCCuKgM9EwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgGOsI02WZ0rHm5UZbkQzS92NPoQBUd9niS3D6h35eYX4CIQDTBw9aAT55
wSlFoIzAaFFScDDdaD5Fi3jG961pwYbSYw==
-----END CERTIFICATE-----`;
