export const chart = () => {}
